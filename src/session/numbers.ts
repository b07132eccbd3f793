import { count as inWords } from "../text/numbers.ts";
import type { Notices } from "./notices.ts";
import { createStore, type Store } from "./store.ts";

/** The longest number of a choice, in digits. */
const mostDigits = 8;

export interface Choices {
  readonly count: number;
  /** Takes a choice, from 0. */
  readonly choose: (at: number) => void;
}

/** Choices on a linear screen that you take by typing their number. */
export interface Numbers {
  /** The digits typed so far. */
  readonly typed: Store<string>;
  add(choices: { current: Choices }): () => void;
  /** Takes a key that is part of a number; false for other keys. */
  hear(name: string): boolean;
}

/** Holds the number that is typed on a linear screen. */
export function createNumbers(notices: Notices): Numbers {
  const typed = createStore("");
  let stack: readonly { current: Choices }[] = [];
  const take = (digits: string) => {
    const choices = stack.at(-1)?.current;
    const at = Number(digits);
    if (!choices) return;
    if (at >= 1 && at <= choices.count) choices.choose(at - 1);
    else
      notices.explain(
        choices.count === 0
          ? "There is nothing to choose here."
          : `Choose a number from 1 to ${inWords(choices.count)}.`,
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
}
