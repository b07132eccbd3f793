/** Requests the status of many accounts from the service (INTERFACE 4.8). */
import { isServiceError, type ServiceError } from "../api/errors.ts";
import type { AccountStatus } from "../api/service.ts";
import type { Budget } from "../watch/budget.ts";
import { isCredentialError } from "../watch/poll.ts";

/** The result of a status request for one account (INTERFACE 4.8). */
export type Lookup =
  | { readonly kind: "answered"; readonly status: AccountStatus }
  /** 404: the service has no import process for this account. */
  | { readonly kind: "not-found" }
  | { readonly kind: "failed"; readonly error: ServiceError };

export interface LookupOptions<T> {
  /** Requests a status (INTERFACE 4.8). Rejects with ServiceError. */
  readonly status: (item: T, signal: AbortSignal) => Promise<AccountStatus>;
  readonly budget: Budget;
}

export const maxLookups = 1_000;

/**
 * Number of concurrent lookups. It equals the number of requests that the budget allows in flight.
 */
const concurrentLookups = 8;

/**
 * Looks up all items in order. After the service refuses the credentials, sends no more requests
 * and reports that error for each remaining item. Rejects with the signal's reason.
 */
export async function lookUpAll<T>(
  items: Iterable<T>,
  { status, budget }: LookupOptions<T>,
  signal: AbortSignal,
  onResult: (item: T, lookup: Lookup) => void,
): Promise<void> {
  let refused: ServiceError | null = null;
  const lookUp = async (item: T): Promise<Lookup> => {
    if (refused !== null) return { kind: "failed", error: refused };
    try {
      const check = async (slotSignal: AbortSignal) => {
        if (refused !== null) throw refused;
        return status(item, slotSignal);
      };
      return { kind: "answered", status: await budget.spend(check, signal) };
    } catch (error) {
      signal.throwIfAborted();
      if (!isServiceError(error)) throw error;
      if (error.kind === "not-found") return { kind: "not-found" };
      if (isCredentialError(error)) refused ??= error;
      return { kind: "failed", error };
    }
  };
  const queue = items[Symbol.iterator]();
  const worker = async () => {
    for (let next = queue.next(); !next.done; next = queue.next())
      onResult(next.value, await lookUp(next.value));
  };
  await Promise.all(Array.from({ length: concurrentLookups }, worker));
}
