import type { Form } from "../../forms/fields.ts";
import type { Choice, Overlays } from "../../hooks/overlay.tsx";
import type { Actions } from "../../keys/scopes.ts";
import { optionWords } from "./review-lines.ts";

/**
 * The query options of a form (INTERFACE 4.2) as choices, each of which turns one round; they are on
 * when nothing is sent.
 */
export function queryChoices(
  form: Form,
  query: Readonly<Record<string, string>>,
  choose: (option: string, on: boolean) => void,
): readonly Choice[] {
  return form.query.map(({ name, label }) => {
    const isOff = query[name] === "false";
    return {
      label: `${label}: ${isOff ? "yes" : "no"}`,
      hint: `now ${optionWords(query[name])}`,
      run: () => choose(name, isOff),
    };
  });
}

/** Whether each transaction goes in a separate request, as a choice. */
export function splitChoice(split: boolean, choose: (split: boolean) => void): Choice {
  return {
    label: `One transaction per request: ${split ? "no" : "yes"}`,
    hint: `now ${split ? "yes" : "no"}`,
    run: () => choose(!split),
  };
}

/** The key that offers the choices in a menu; none where there is nothing to choose. */
export function optionsAction(overlays: Overlays, choices: readonly Choice[]): Actions {
  if (choices.length === 0) return {};
  const run = () => overlays.open({ kind: "choose", title: "Change how it is sent", choices });
  return { options: { run, choices } };
}
