import type { Form, FormKind } from "./fields.ts";
import { notesForm } from "./notes.ts";
import { paymentInstructionForm } from "./payment-instruction.ts";
import { statementsForm } from "./statements.ts";
import { supplyPointForm } from "./supply-point.ts";
import { transactionsForm } from "./transactions.ts";

/** Every form by its kind. */
export const forms: Readonly<Record<FormKind, Form>> = {
  notes: notesForm,
  transactions: transactionsForm,
  statements: statementsForm,
  "payment-instructions": paymentInstructionForm,
  "supply-points": supplyPointForm,
};

export const formKinds = Object.keys(forms) as readonly FormKind[];

/** Narrows a word, for example the argument of `schema`. */
export function isFormKind(word: string): word is FormKind {
  return Object.hasOwn(forms, word);
}
