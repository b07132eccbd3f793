import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef } from "react";
import { createStore, type Store } from "../session/store.ts";
import { count as inWords } from "../text/numbers.ts";
import { useNotices } from "./notices.tsx";
import { useOverlay } from "./overlay.tsx";
import { useStore } from "./store.ts";
import { useActive, useLinear } from "./window.tsx";

/** Longer numbers are no choice of any list. */
const mostDigits = 8;

interface Choices {
  readonly count: number;
  /** Takes a choice, from 0. */
  readonly choose: (at: number) => void;
}

/** Choices on a linear screen that are taken by typing their number. */
interface Numbers {
  /** What is typed so far. */
  readonly typed: Store<string>;
  add(choices: { current: Choices }): () => void;
  /** Takes a key where it is part of a number; false where it is for others. */
  hear(name: string): boolean;
}

const NumbersContext = createContext<Numbers | null>(null);

/** Keeps the number that is being typed on a linear screen. */
export function NumberedProvider(props: { readonly children: ReactNode }) {
  const notices = useNotices();
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
            : `There is no ${digits}: 1 to ${inWords(choices.count)}.`,
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

/** Where typed numbers are heard; null on a screen that is not linear. */
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
 * Has the choices of a list or menu taken by number on a linear screen. In an overlay `focus` says
 * that it stands in front; without it the list of the screen on top is meant.
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
