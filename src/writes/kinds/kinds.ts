/** Every kind of write by its name. A new kind is a file beside this and a line here. */
import type { FormKind } from "../../forms/forms.ts";
import { type RetryRules, readRules, validateRules } from "../retry-table.ts";
import type { KindFacts, Operation, Query, VerificationMethod } from "./kind.ts";
import { notesKind } from "./notes.ts";
import { paymentInstructionsKind } from "./payment-instructions.ts";
import { statementsKind } from "./statements.ts";
import { supplyPointsKind } from "./supply-points.ts";
import { transactionsKind } from "./transactions.ts";

/** Every kind of request: recorded writes, the validation, and reads. */
export type Call = Operation | "supply-points validate" | "read";

const kinds = {
  notes: notesKind,
  transactions: transactionsKind,
  statements: statementsKind,
  "payment-instructions": paymentInstructionsKind,
  "supply-points": supplyPointsKind,
} satisfies Readonly<Record<FormKind, KindFacts>>;

const operations: ReadonlySet<string> = new Set(
  (Object.keys(kinds) as FormKind[]).map(operationOf),
);

/** Returns the operation of a form, as named by the journal and the commands. */
export function operationOf(kind: FormKind): Operation {
  return `${kind} create`;
}

/** Narrows a word, for example from the journal, to an operation. */
export function isOperation(word: string): word is Operation {
  return operations.has(word);
}

export function kindOf(operation: Operation): KindFacts {
  return kinds[operation.slice(0, -" create".length) as FormKind];
}

/** Returns the rules for a resend of a request. */
export function retriesOf(call: Call): RetryRules {
  if (call === "read") return readRules;
  return call === "supply-points validate" ? validateRules : kindOf(call).retries;
}

/**
 * Returns true if these items cannot take effect twice: the service recognizes them. A supply point is
 * looked up first, and the service refuses an identifier that it has.
 */
export function isRecognized(
  operation: Operation,
  query: Query,
  items: readonly unknown[],
): boolean {
  const { readBack, isDeduplicated } = kindOf(operation);
  return readBack.by === "look-up" || isDeduplicated(query, items);
}

/** Returns true if a 500 is the vendor's, and the interface asks for the same form again (4.4). */
export function isVendorRetry(operation: Operation): boolean {
  return kindOf(operation).retries["500"] === "resend";
}

/**
 * Returns the reason why sending the same bytes again cannot find out the outcome, and the place to
 * look instead, or null if it can. `deduplicated` is as in PreparedWrite. `refused` is true if the
 * service has since responded to the whole form with 400.
 */
export function noCheckedResend(
  readBack: Extract<VerificationMethod, { readonly by: "checked-resend" }>,
  { deduplicated, refused }: { readonly deduplicated: boolean; readonly refused: boolean },
): string | null {
  if (!deduplicated) return readBack.otherwise;
  return refused
    ? "The service has rejected this form since then. It must not be sent again unchanged. Look at the account."
    : null;
}

/** Returns the name of rows of a kind, such as `notes`. */
export function kindName(kind: FormKind): string {
  return kindOf(operationOf(kind)).plural;
}
