import { isServiceError } from "../../api/errors.ts";
import { atPlace } from "../../forms/paths.ts";
import type { KeyWords } from "../../keys/keymap.ts";
import type { Plan } from "../../session/write-plan.ts";
import { describeError } from "../../text/describe-error.ts";
import { plural } from "../../text/numbers.ts";
import { type DocumentLine, LineSetter } from "./document.ts";
import { refusalsOf } from "./refusals.ts";
import type { ValidationState } from "./submit-validation.ts";
import type { DescribeContext } from "./words.ts";

/** What the service's validation came to, in full. */
export function validationLines(
  state: ValidationState,
  plan: Plan,
  context: DescribeContext,
  columns: number,
): readonly DocumentLine[] {
  const page = new LineSetter(columns);
  if (state.kind !== "failed") return page.lines;
  const { error } = state;
  if (isServiceError(error, "rejected")) {
    const refusals = refusalsOf(plan, error);
    page.say(
      `The service's validation refused it (400): ${plural(refusals.length, "complaint")}.`,
      { tone: "bad", bold: true },
    );
    for (const one of refusals) page.say(atPlace(plan.form, one), { tone: "bad" }, 2);
    return page.lines;
  }
  const words = describeError(error, { ...context, doing: "validating" });
  page.say(words.what, { tone: "bad", bold: true });
  if (words.why) page.say(words.why);
  return page.lines;
}

/** The same in one line, with the key that leads on. */
export function validationWords(state: ValidationState, key: KeyWords): string {
  switch (state.kind) {
    case "none":
      return `${key("send")} or ${key("verify")} has the service validate it first; Esc goes back to the form.`;
    case "asking":
      return "The service is validating it…";
    case "passed":
      return `Validated, nothing created yet: ${key("send")} creates it; ${key("raw")} shows the answer.`;
    case "failed":
      return isServiceError(state.error, "rejected")
        ? "Enter goes back to the form, to what was refused."
        : `${key("send")} or ${key("verify")} validates again; Esc goes back to the form.`;
  }
}
