import type { Form } from "./fields.ts";
import { notesForm } from "./notes.ts";
import { paymentInstructionForm } from "./payment-instruction.ts";
import { statementsForm } from "./statements.ts";
import { supplyPointForm } from "./supply-point.ts";
import { transactionsForm } from "./transactions.ts";

/**
 * The table of all forms by kind. The kind is also the name in commands and bulk runs. To add a
 * form, add a file to this folder and a line to this table.
 */
export const forms = {
  notes: notesForm,
  transactions: transactionsForm,
  statements: statementsForm,
  "payment-instructions": paymentInstructionForm,
  "supply-points": supplyPointForm,
} satisfies Readonly<Record<string, Form>>;

export type FormKind = keyof typeof forms;

export const formKinds = Object.keys(forms) as readonly FormKind[];

export function isFormKind(word: string): word is FormKind {
  return Object.hasOwn(forms, word);
}

export function formOf(operation: `${FormKind} create`): Form {
  return forms[operation.slice(0, -" create".length) as FormKind];
}
