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

/** The form of a write, by the name of its operation. */
export function formOf(operation: `${FormKind} create`): Form {
  const kind = operation.slice(0, -" create".length);
  if (!isFormKind(kind)) throw new Error(`no form for ${operation}`);
  return forms[kind];
}

/** Narrows a word, for example the argument of `schema`. */
export function isFormKind(word: string): word is FormKind {
  return Object.hasOwn(forms, word);
}
