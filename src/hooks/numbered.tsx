import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef } from "react";
import { createStore, type Store } from "../session/store.ts";
import { count as inWords } from "../text/numbers.ts";
import { useApp, useOverlay } from "./app.tsx";
import { useStore } from "./context.ts";
import { useActive, useLinear } from "./window.tsx";

/** The longest number of a choice, in digits. */
const mostDigits = 8;

interface Choices {
  readonly count: number;
  /** Takes a choice, from 0. */
  readonly choose: (at: number) => void;
}

/** Choices on a linear screen that you take by typing their number. */
interface Numbers {
  /** The digits typed so far. */
  readonly typed: Store<string>;
  add(choices: { current: Choices }): () => void;
  /** Takes a key that is part of a number; false for other keys. */
  hear(name: string): boolean;
}

const NumbersContext = createContext<Numbers | null>(null);

/** Holds the number that is typed on a linear screen. */
export function NumberedProvider(props: { readonly children: ReactNode }) {
  const { notices } = useApp();
  const numbers = useMemo<Numbers>(() => {
    const typed = createStore("");
    let stack: readonly { current: Choices }[] = [];
    const take = (digits: string) => {
      const choices = stack.at(-1)?.current;
      const at = Number(digits);
      if (!choices) return;
      if (at >= 1 && at <= choices.count) choices.choose(at - 1);
      else
        notices.show(
          choices.count === 0
            ? "There is nothing to choose here."
            : `Choose a number from 1 to ${inWords(choices.count)}.`,
          "waiting",
        );
    };
    return {
      typed,
      add(choices) {
        stack = [...stack, choices];
        return () => {
          stack = stack.filter((other) => other !== choices);
          typed.set("");
        };
      },
      hear(name) {
        const digits = typed.get();
        if (/^\d$/.test(name) && stack.length > 0 && (digits !== "" || name !== "0")) {
          if (digits.length < mostDigits) typed.set(digits + name);
          return true;
        }
        if (digits === "") return false;
        typed.set(name === "backspace" ? digits.slice(0, -1) : "");
        if (name === "enter") take(digits);
        return name === "enter" || name === "backspace" || name === "esc";
      },
    };
  }, [notices]);
  return <NumbersContext value={numbers}>{props.children}</NumbersContext>;
}

/** The receiver of typed numbers; null on a screen that is not linear. */
export function useNumbers(): Numbers | null {
  const numbers = useContext(NumbersContext);
  return useLinear() ? numbers : null;
}

const never = createStore("");

/** The number typed so far; empty when none is. */
export function useTypedNumber(): string {
  return useStore(useNumbers()?.typed ?? never);
}

/**
 * Lets you choose from a list or menu by number on a linear screen. In an overlay, `focus` says
 * that it is in front; without it, the list belongs to the screen on top.
 */
export function useNumbered(choices: Choices, options: { readonly focus?: boolean } = {}): void {
  const numbers = useNumbers();
  const onTop = useActive();
  const overlay = useOverlay();
  const active = options.focus ?? (onTop && overlay === null);
  const latest = useRef(choices);
  useEffect(() => {
    latest.current = choices;
  });
  useEffect(() => (numbers && active ? numbers.add(latest) : undefined), [numbers, active]);
}
