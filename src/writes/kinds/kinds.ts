/**
 * Finds the facts about a kind of write by its name. A new kind needs a file in this folder and a
 * line here.
 */
import type { FormKind } from "../../forms/forms.ts";
import { type RetryRules, readRules, validateRules } from "../retry-table.ts";
import type { KindFacts, Operation, Query, VerificationMethod } from "./kind.ts";
import { notesKind } from "./notes.ts";
import { paymentInstructionsKind } from "./payment-instructions.ts";
import { statementsKind } from "./statements.ts";
import { supplyPointsKind } from "./supply-points.ts";
import { transactionsKind } from "./transactions.ts";

export type Call = Operation | "supply-points validate" | "read";

const kinds = {
  notes: notesKind,
  transactions: transactionsKind,
  statements: statementsKind,
  "payment-instructions": paymentInstructionsKind,
  "supply-points": supplyPointsKind,
} satisfies { readonly [Kind in FormKind]: KindFacts<Kind> };

const operations: ReadonlySet<string> = new Set(
  (Object.keys(kinds) as FormKind[]).map(operationOf),
);

export function operationOf(kind: FormKind): Operation {
  return `${kind} create`;
}

function formOf(operation: Operation): FormKind {
  return operation.slice(0, -" create".length) as FormKind;
}

export function formKindOf(operation: string): FormKind | null {
  return isOperation(operation) ? formOf(operation) : null;
}

export function isOperation(text: string): text is Operation {
  return operations.has(text);
}

export function kindOf(operation: Operation): KindFacts {
  return kinds[formOf(operation)];
}

export function retriesOf(call: Call): RetryRules {
  if (call === "read") return readRules;
  return call === "supply-points validate" ? validateRules : kindOf(call).retries;
}

/**
 * Returns true if these items cannot take effect twice, because the service recognizes them. A
 * supply point is looked up before it is sent, and the service refuses an existing identifier.
 */
export function isRecognized(
  operation: Operation,
  query: Query,
  items: readonly unknown[],
): boolean {
  const { readBack, isDeduplicated } = kindOf(operation);
  return readBack.by === "look-up" || isDeduplicated(query, items);
}

/** Returns true for the payment vendor's 500 after which the form is resent (INTERFACE 4.4). */
export function isVendorRetry(operation: Operation): boolean {
  return kindOf(operation).retries["500"] === "resend";
}

/**
 * Returns the reason why a resend cannot verify the outcome and the place to check instead, or null
 * if it can. `deduplicated` is as in PreparedWrite. `refused` is true if the service has since
 * rejected the whole form with a 400.
 */
export function noCheckedResend(
  readBack: Extract<VerificationMethod, { readonly by: "checked-resend" }>,
  { deduplicated, refused }: { readonly deduplicated: boolean; readonly refused: boolean },
): string | null {
  if (!deduplicated) return readBack.otherwise;
  return refused
    ? "The service has rejected this form since then. It must not be sent again unchanged. Check the account."
    : null;
}

export function kindName(kind: FormKind): string {
  return kindOf(operationOf(kind)).plural;
}
