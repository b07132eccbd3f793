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

/** The form of a write, by the name of its operation. */
export function formOf(operation: `${FormKind} create`): Form {
  return forms[operation.slice(0, -" create".length) as FormKind];
}
