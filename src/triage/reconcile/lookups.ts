import { isServiceError, type ServiceError } from "../../api/errors.ts";
import type { AccountStatus } from "../../api/service.ts";
import type { Budget } from "../../watch/budget.ts";
import { isRefusal } from "../../watch/poll.ts";
import type { RowClass } from "./classes.ts";
import type { Matching } from "./matching.ts";

/** The result of asking for an account that is on no list (INTERFACE 4.8). */
export type Lookup =
  | { readonly kind: "answered"; readonly status: AccountStatus }
  /** 404: the account was never staged. */
  | { readonly kind: "not-found" }
  | { readonly kind: "failed"; readonly error: ServiceError };

export interface LookupOptions {
  /** INTERFACE 4.8; rejects with ServiceError. */
  readonly status: (number: string, signal: AbortSignal) => Promise<AccountStatus>;
  /** Requests at the most. */
  readonly limit: number;
  /** The request budget of everything that is watched. */
  readonly budget: Budget;
}

/**
 * Looks up the rows that are on no list, in the order of the source, as far as the limit allows, and
 * classifies them. Once the credentials are refused nothing more is sent, and the other rows fail
 * with them. Rejects with the signal's reason.
 */
export async function lookUpRows(
  matching: Matching,
  rows: Uint32Array,
  options: LookupOptions & { readonly signal: AbortSignal },
  onResult: (done: number, total: number) => void,
): Promise<ReadonlyMap<number, Lookup>> {
  const { budget, limit, signal } = options;
  const results = new Map<number, Lookup>();
  const wanted = rows.subarray(0, limit);
  let refused: ServiceError | null = null;
  const lookUp = async (row: number): Promise<Lookup> => {
    if (refused !== null) return { kind: "failed", error: refused };
    try {
      const number = matching.source.numberOf(row);
      const check = async (inner: AbortSignal) => {
        if (refused !== null) throw refused;
        return options.status(number, inner);
      };
      return { kind: "answered", status: await budget.spend(check, signal) };
    } catch (error) {
      signal.throwIfAborted();
      if (!isServiceError(error)) throw error;
      if (error.kind === "not-found") return { kind: "not-found" };
      if (isRefusal(error)) refused ??= error;
      return { kind: "failed", error };
    }
  };
  let next = 0;
  // No more than these wait for the budget at a time, however many rows there are.
  const worker = async () => {
    while (next < wanted.length) {
      const row = wanted[next++] as number;
      const result = await lookUp(row);
      results.set(row, result);
      const to = classOf(result);
      if (to !== "absent") matching.reclassify(row, to);
      onResult(results.size, wanted.length);
    }
  };
  await Promise.all(Array.from({ length: workers }, worker));
  return results;
}

/** As many as the budget has in flight. */
const workers = 8;

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
      // A status that the service added later says nothing about these classes.
      return "absent";
  }
}
