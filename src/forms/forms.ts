import type { Form } from "./fields.ts";
import { notesForm } from "./notes.ts";
import { paymentInstructionForm } from "./payment-instruction.ts";
import { statementsForm } from "./statements.ts";
import { supplyPointForm } from "./supply-point.ts";
import { transactionsForm } from "./transactions.ts";

/**
 * Every form by its kind, which is also the name in commands and bulk runs. A new form is a file
 * beside this one and a line here.
 */
export const forms = {
  notes: notesForm,
  transactions: transactionsForm,
  statements: statementsForm,
  "payment-instructions": paymentInstructionForm,
  "supply-points": supplyPointForm,
} satisfies Readonly<Record<string, Form>>;

/** The kinds of a write, each with a form. */
export type FormKind = keyof typeof forms;

export const formKinds = Object.keys(forms) as readonly FormKind[];

/** Narrows a word, for example the argument of `schema`. */
export function isFormKind(word: string): word is FormKind {
  return Object.hasOwn(forms, word);
}

/** Returns the form of a write by the name of its operation. */
export function formOf(operation: `${FormKind} create`): Form {
  return forms[operation.slice(0, -" create".length) as FormKind];
}
