/** Looks up a supply point's import process (INTERFACE 4.7), and checks if the write created it. */
import { isServiceError, type ServiceError } from "../../api/errors.ts";
import type { SupplyPointProcess } from "../../api/service.ts";
import { situationOf } from "../decide.ts";
import type { Entry, LookupResult } from "../journal/entry.ts";
import { readRules } from "../retry-table.ts";
import { type Limits, report, type SendOptions, type WriteContext } from "./events.ts";

/** The result of one look-up. */
export type LookUp =
  | { readonly kind: "found"; readonly process: SupplyPointProcess }
  | { readonly kind: "absent" }
  | { readonly kind: "failed"; readonly error: ServiceError }
  | { readonly kind: "cancelled" };

/** Tolerated difference between the clocks of two machines, in milliseconds. */
const clockToleranceMs = 5 * 60_000;

/**
 * Looks up the import process once. The client retries the request itself, because reads are safe
 * to repeat.
 */
export async function lookUp(
  context: WriteContext,
  request: {
    readonly entry: Entry;
    readonly limits: Limits;
    readonly deadline: number;
    readonly purpose: "before" | "after";
  },
  options: SendOptions,
): Promise<LookUp> {
  const { service, clock } = context;
  const { entry, limits, deadline, purpose } = request;
  const { target } = entry;
  const { signal } = options;
  if (target.kind !== "supply-point") throw new Error("only supply points have a look-up");
  if (signal.aborted) return { kind: "cancelled" };
  report(options, { kind: "looking-up", journalId: entry.id, purpose });
  const remainingMs = deadline - clock.now();
  const timeoutMs = Math.max(1, Math.min(limits.timeoutMs, remainingMs));
  const { importSupplier, externalIdentifier } = target;
  try {
    const bounds = { signal, timeoutMs, rateLimitWaitMs: Math.max(0, remainingMs - timeoutMs) };
    const response = await service.supplyPoints.status(importSupplier, externalIdentifier, bounds);
    return { kind: "found", process: response.value };
  } catch (thrown) {
    if (signal.aborted) return { kind: "cancelled" };
    if (!isServiceError(thrown)) throw thrown;
    const isAbsent = readRules[situationOf(thrown)] === "answer";
    return isAbsent ? { kind: "absent" } : { kind: "failed", error: thrown };
  }
}

/** Returns the result of a look-up as it is stored, or null if the look-up failed. */
export function storedLookUp(
  result: Exclude<LookUp, { readonly kind: "cancelled" }>,
): LookupResult | null {
  switch (result.kind) {
    case "failed":
      return null;
    case "absent":
      return { found: false };
    case "found": {
      const { status, created_at } = result.process;
      return { found: true, status, created_at };
    }
  }
}

/**
 * Returns true if this write created the import process. The result is true if an earlier look-up
 * found no process. If it found one, the process must be newer, by its created_at. Without an
 * earlier look-up, the process must be created after the entry was recorded, within the tolerance
 * of two clocks.
 */
export function confirms(entry: Entry, process: SupplyPointProcess): boolean {
  const earlier = entry.lookedUp;
  if (earlier !== null && !earlier.found) return true;
  const created = instantOf(process.created_at);
  if (created === null) return false;
  if (earlier === null) return created >= entry.createdAt - clockToleranceMs;
  const earlierCreated = instantOf(earlier.created_at);
  return earlierCreated !== null && created > earlierCreated;
}

/** Returns the epoch milliseconds of a time text, or null if it is not a time. */
function instantOf(text: string | null): number | null {
  const instant = text === null ? Number.NaN : Date.parse(text);
  return Number.isNaN(instant) ? null : instant;
}
