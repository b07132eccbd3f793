/** Distinguishable writes: every effect can be traced to the write that asked for it. */

import type { Operation } from "../src/writes/kinds/kind.ts";
import type { WriteRequest } from "../src/writes/prepare.ts";
import { supplyPointPayload } from "./supply-point-payload.ts";

/**
 * The kinds of writes. `plain` ones are safe to resend. The others are not, or only after a
 * look-up.
 */
export type WriteKind =
  | "notes"
  | "documents"
  | "transactions"
  | "unchecked transactions"
  | "transactions with one refused"
  | "statements"
  | "payment instructions"
  | "supply points";

export interface ComposedWrite {
  readonly kind: WriteKind;
  readonly request: WriteRequest;
  readonly importSupplier: string;
  /** The number of the account, or the identifier of the supply point. */
  readonly identifier: string;
}

/** The supplier of the campaign, with this many imported accounts. */
export const supplier = { code: "CAMP", status: "Ongoing", imported: 64, staged: 0 } as const;

export const writeKinds: readonly WriteKind[] = [
  "notes",
  "documents",
  "transactions",
  "unchecked transactions",
  "transactions with one refused",
  "statements",
  "payment instructions",
  "supply points",
];

const operationOf: Readonly<Record<WriteKind, Operation>> = {
  notes: "notes create",
  documents: "notes create",
  transactions: "transactions create",
  "unchecked transactions": "transactions create",
  "transactions with one refused": "transactions create",
  statements: "statements create",
  "payment instructions": "payment-instructions create",
  "supply points": "supply-points create",
};

/** Returns true if the service adds a repeated request only once. */
export function isDeduplicated(kind: WriteKind): boolean {
  return ["notes", "transactions", "transactions with one refused"].includes(kind);
}

/** Accounts of the supplier, one after another. */
export interface Accounts {
  /** The number of the first. */
  readonly first: number;
  readonly count: number;
}

const all: Accounts = { first: 1, count: supplier.imported };

export function accountName(n: number, { first, count }: Accounts = all): string {
  return `${supplier.code}-${String(first + (n % count)).padStart(7, "0")}`;
}

/** The write `n` of a campaign; `mark` keeps it apart from those of others on the same service. */
export function composeWrite(
  kind: WriteKind,
  mark: string,
  n: number,
  accounts?: Accounts,
): ComposedWrite {
  const identifier = kind === "supply points" ? `SP-${mark}-${n}` : accountName(n, accounts);
  const body = bodyOf(kind, `${mark}-${n}`, identifier);
  const request: WriteRequest = {
    operation: operationOf[kind],
    body: new TextEncoder().encode(JSON.stringify(body)),
    ...(kind === "unchecked transactions" ? { query: { check_previously_added: "false" } } : {}),
  };
  return { kind, request, importSupplier: supplier.code, identifier };
}

/** Returns the body of a validation (INTERFACE 4.5), which is that of a creation. */
export function bodyOf(kind: WriteKind, mark: string, identifier: string): unknown {
  const account = { import_supplier: supplier.code, external_account_number: identifier };
  switch (kind) {
    case "notes":
      return { ...account, notes: [{ body: `${mark} first` }, { body: `${mark} second` }] };
    case "documents":
      return { ...account, notes: [{ document_paths: [{ document_path: `${mark}.pdf` }] }] };
    case "transactions":
    case "unchecked transactions":
      return { ...account, transactions: [transaction(`${mark}/1`), transaction(`${mark}/2`)] };
    case "transactions with one refused":
      return {
        ...account,
        transactions: [
          transaction(`${mark}/1`),
          { ...transaction(`${mark}/2`), type: "NONSENSE" },
          transaction(`${mark}/3`),
        ],
      };
    case "statements":
      return { ...account, statements: [statement(mark)] };
    case "payment instructions":
      return { ...account, vendor: "GOODPAY", reference: mark, type: "CARD" };
    case "supply points":
      return { payload: supplyPointPayload(identifier, supplier.code) };
  }
}

/** Returns an amount that differs between transactions, so that a sum shows which it is of. */
function amountOf(id: string): number {
  const mixed = [...id].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 99_991, 7);
  return (1 + mixed) / 100;
}

function transaction(id: string) {
  return {
    transaction_id: id,
    transaction_date: "2026-11-20",
    amount: amountOf(id),
    type: "CHARGE",
    reason: "IMPORTED_CHARGE",
  };
}

function statement(id: string) {
  return {
    bill_period_from_date: "2026-10-01",
    bill_period_to_date: "2026-10-31",
    statement_id: id,
    issued_date: "2026-11-01",
    number: id,
    gross_amount: 10,
  };
}
