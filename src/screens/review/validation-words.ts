import { isServiceError } from "../../api/errors.ts";
import type { Sentence } from "../../components/document-builder.ts";
import { atPlace } from "../../forms/paths.ts";
import type { KeyWords } from "../../keys/keymap.ts";
import type { Plan } from "../../session/write-plan.ts";
import { describeError } from "../../text/describe-error.ts";
import { plural } from "../../text/numbers.ts";
import { refusalsOf } from "./refusals.ts";
import type { ValidationState } from "./submit-validation.ts";
import type { DescribeContext } from "./words.ts";

/** What the service's validation found, in full. */
export function validationWords(
  state: ValidationState,
  plan: Plan,
  context: DescribeContext,
): readonly Sentence[] {
  if (state.kind !== "failed") return [];
  const { error } = state;
  if (isServiceError(error, "rejected")) {
    const refusals = refusalsOf(plan, error);
    const found = plural(refusals.length, "error");
    return [
      {
        words: `The service's validation rejected it (400): ${found}.`,
        look: { tone: "bad", bold: true },
      },
      ...refusals.map(
        (one): Sentence => ({ words: atPlace(plan.form, one), look: { tone: "bad" }, indent: 2 }),
      ),
    ];
  }
  const { what, why } = describeError(error, { ...context, doing: "validating" });
  return [{ words: what, look: { tone: "bad", bold: true } }, ...(why ? [{ words: why }] : [])];
}

/** The same in one line, with the key that leads on. */
export function validationLine(state: ValidationState, key: KeyWords): string {
  switch (state.kind) {
    case "none":
      return `${key("send")} or ${key("verify")} has the service validate it first; ${key("back")} goes back to the form.`;
    case "asking":
      return "The service is validating it…";
    case "passed":
      return `Validated, nothing created yet: ${key("send")} creates it; ${key("raw")} shows the answer.`;
    case "failed":
      return isServiceError(state.error, "rejected")
        ? `${key("open")} goes back to the form, to the first error.`
        : `${key("send")} or ${key("verify")} validates again; ${key("back")} goes back to the form.`;
  }
}
