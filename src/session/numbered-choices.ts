/** Selects one of several choices by its typed number, on a screen in linear mode. */
import { count as formatCount } from "../text/numbers.ts";
import type { Notices } from "./notices.ts";
import { createStore } from "./store.ts";

const maxDigits = 8;

export interface Choices {
  readonly count: number;
  readonly choose: (index: number) => void;
}

export function createNumberedChoices(notices: Notices) {
  const typed = createStore("");
  let stack: readonly { current: Choices }[] = [];
  const select = (digits: string) => {
    const choices = stack.at(-1)?.current;
    const number = Number(digits);
    if (!choices) return;
    if (number >= 1 && number <= choices.count) choices.choose(number - 1);
    else
      notices.explain(
        choices.count === 0
          ? "There is nothing to choose here."
          : `Choose a number from 1 to ${formatCount(choices.count)}.`,
      );
  };
  return {
    typed,
    add(choices: { current: Choices }) {
      stack = [...stack, choices];
      return () => {
        stack = stack.filter((other) => other !== choices);
        typed.set("");
      };
    },
    handleKey(name: string) {
      const digits = typed.get();
      if (/^\d$/.test(name) && stack.length > 0 && (digits !== "" || name !== "0")) {
        if (digits.length < maxDigits) typed.set(digits + name);
        return true;
      }
      if (digits === "") return false;
      typed.set(name === "backspace" ? digits.slice(0, -1) : "");
      if (name === "enter") select(digits);
      return name === "enter" || name === "backspace" || name === "esc";
    },
  };
}

export type NumberedChoices = ReturnType<typeof createNumberedChoices>;
