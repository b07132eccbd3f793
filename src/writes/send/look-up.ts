/** Looks up a supply point's import process (INTERFACE 4.7), and checks if the write created it. */
import { isServiceError, type ServiceError } from "../../api/errors.ts";
import type { SupplyPointProcess } from "../../api/service.ts";
import { situationOf } from "../decide.ts";
import type { Entry, LookupResult } from "../journal/entry.ts";
import { readRules } from "../retry-table.ts";
import { type Limits, report, type SendOptions, type WriteContext } from "./events.ts";

export type LookUp =
  | { readonly kind: "found"; readonly process: SupplyPointProcess }
  | { readonly kind: "absent" }
  | { readonly kind: "failed"; readonly error: ServiceError }
  | { readonly kind: "cancelled" };

/** Tolerated difference between the clocks of two machines, in milliseconds. */
const toleranceMs = 5 * 60_000;

/**
 * Looks up the import process once. The client retries the request itself, because reads are safe
 * to repeat.
 */
export async function lookUp(
  context: WriteContext,
  look: {
    readonly entry: Entry;
    readonly limits: Limits;
    readonly deadline: number;
    readonly purpose: "before" | "after";
  },
  options: SendOptions,
): Promise<LookUp> {
  const { service, clock } = context;
  const { entry, limits, deadline, purpose } = look;
  const { target } = entry;
  const { signal } = options;
  if (target.kind !== "supply-point") throw new Error("only supply points have a look-up");
  if (signal.aborted) return { kind: "cancelled" };
  report(options, { kind: "looking-up", journalId: entry.id, purpose });
  const left = deadline - clock.now();
  const timeoutMs = Math.max(1, Math.min(limits.timeoutMs, left));
  const { importSupplier, externalIdentifier } = target;
  try {
    const bounds = { signal, timeoutMs, rateLimitWaitMs: Math.max(0, left - timeoutMs) };
    const answer = await service.supplyPoints.status(importSupplier, externalIdentifier, bounds);
    return { kind: "found", process: answer.value };
  } catch (thrown) {
    if (signal.aborted) return { kind: "cancelled" };
    if (!isServiceError(thrown)) throw thrown;
    const absent = readRules[situationOf(thrown)] === "answer";
    return absent ? { kind: "absent" } : { kind: "failed", error: thrown };
  }
}

/** Returns the result of a look-up as it is stored, or null if the look-up failed. */
export function storedLookUp(
  seen: Exclude<LookUp, { readonly kind: "cancelled" }>,
): LookupResult | null {
  switch (seen.kind) {
    case "failed":
      return null;
    case "absent":
      return { found: false };
    case "found": {
      const { status, created_at } = seen.process;
      return { found: true, status, created_at };
    }
  }
}

/**
 * Returns true if this write created the import process. If an earlier look-up found none, the
 * result is true. If it found one, the process must be newer, by its created_at. Without an earlier
 * look-up, the process must be created after the entry was recorded, within the tolerance of two
 * clocks.
 */
export function confirms(entry: Entry, process: SupplyPointProcess): boolean {
  const before = entry.lookedUp;
  if (before !== null && !before.found) return true;
  const created = instantOf(process.created_at);
  if (created === null) return false;
  if (before === null) return created >= entry.createdAt - toleranceMs;
  const earlier = instantOf(before.created_at);
  return earlier !== null && created > earlier;
}

function instantOf(text: string | null): number | null {
  const instant = text === null ? Number.NaN : Date.parse(text);
  return Number.isNaN(instant) ? null : instant;
}
