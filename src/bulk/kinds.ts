import type { Operation } from "../writes/operations.ts";

/** What a bulk run can be made of; `status` only reads (INTERFACE 4.8), the others write. */
export const bulkKinds = [
  "notes",
  "transactions",
  "statements",
  "payment-instructions",
  "supply-points",
  "status",
] as const;

export type BulkKind = (typeof bulkKinds)[number];

/** A kind whose rows are writes; the same word as the form it is checked with. */
export type WriteKind = Exclude<BulkKind, "status">;

/** Narrows a word of the command line or of the journal. */
export function isBulkKind(word: string): word is BulkKind {
  return bulkKinds.some((kind) => kind === word);
}

/** The write that a row of this kind makes (INTERFACE 4.1 to 4.6). */
export const operationOf: Readonly<Record<WriteKind, Operation>> = {
  notes: "notes create",
  transactions: "transactions create",
  statements: "statements create",
  "payment-instructions": "payment-instructions create",
  "supply-points": "supply-points create",
};
