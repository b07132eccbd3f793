/** Selects a choice by its typed number on a linear screen. */
import { count as inWords } from "../text/numbers.ts";
import type { Notices } from "./notices.ts";
import { createStore, type Store } from "./store.ts";

/** Maximum number of typed digits. */
const maxDigits = 8;

export interface Choices {
  readonly count: number;
  /** Selects the choice at an index, from 0. */
  readonly choose: (at: number) => void;
}

/** The choices of a linear screen, which the user selects by number. */
export interface Numbers {
  /** The digits typed so far. */
  readonly typed: Store<string>;
  add(choices: { current: Choices }): () => void;
  /** Handles a key that is part of a number. Returns false for other keys. */
  hear(name: string): boolean;
}

/** Creates the choices of a linear screen, without any choice. */
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
        if (digits.length < maxDigits) typed.set(digits + name);
        return true;
      }
      if (digits === "") return false;
      typed.set(name === "backspace" ? digits.slice(0, -1) : "");
      if (name === "enter") take(digits);
      return name === "enter" || name === "backspace" || name === "esc";
    },
  };
}
