/** Looks up the accounts of a source that are on no list. */
import { type Lookup, type LookupOptions, lookUpAll } from "../lookups.ts";
import type { RowClass } from "./classes.ts";
import type { Matching } from "./matching.ts";

export interface RowLookupOptions extends LookupOptions<string> {
  /** Maximum number of requests. */
  readonly limit: number;
}

/**
 * Looks up the rows that are on no list, in the order of the source and up to the limit, and
 * classifies them. Rejects with the signal's reason.
 */
export async function lookUpRows(
  matching: Matching,
  rows: Uint32Array,
  { status, budget, limit, signal }: RowLookupOptions & { readonly signal: AbortSignal },
  onResult: (done: number, total: number) => void,
): Promise<ReadonlyMap<number, Lookup>> {
  const results = new Map<number, Lookup>();
  const wanted = rows.subarray(0, limit);
  const statusOf = (row: number, inner: AbortSignal) =>
    status(matching.source.numberOf(row), inner);
  await lookUpAll(wanted, { status: statusOf, budget }, signal, (row, result) => {
    results.set(row, result);
    const to = classOf(result);
    if (to !== "absent") matching.reclassify(row, to);
    onResult(results.size, wanted.length);
  });
  return results;
}

function classOf(lookup: Lookup): RowClass {
  if (lookup.kind === "not-found") return "not-staged";
  if (lookup.kind === "failed") return "absent";
  switch (lookup.status.status) {
    case "COMPLETED":
      return "imported";
    case "IN_PROGRESS":
      return "in-progress";
    case "UNKNOWN":
      return "failed";
    default:
      // An unknown status, which the service might add later, belongs to none of these classes.
      return "absent";
  }
}
