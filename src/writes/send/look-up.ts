/** Looks up a supply point's import process (INTERFACE 4.7), and checks if the write created it. */
import { isServiceError, ServiceError } from "../../api/errors.ts";
import type { SupplyPointProcess } from "../../api/service.ts";
import { exactJsonOf } from "../../json/exact.ts";
import { situationOf } from "../decide.ts";
import type { Entry, LookupResult } from "../journal/entry.ts";
import { kindOf } from "../kinds/kinds.ts";
import { otherItemIn } from "../kinds/read-response.ts";
import type { PreparedWrite } from "../prepare.ts";
import { readRules } from "../retry-table.ts";
import { type Limits, report, type SendOptions, type WriteContext } from "./events.ts";

export type LookUp =
  | {
      readonly kind: "found";
      readonly process: SupplyPointProcess;
      /** Milliseconds of the local clock ahead of the service's, or null without a Date header. */
      readonly clockAheadMs: number | null;
    }
  | { readonly kind: "absent" }
  | { readonly kind: "failed"; readonly error: ServiceError }
  | { readonly kind: "cancelled" };

/** Tolerated difference between the clocks of two machines, in milliseconds. */
const clockToleranceMs = 5 * 60_000;

/**
 * Tolerated difference between an instant and the Date header of the same clock, in milliseconds.
 * Both can be cut to whole seconds.
 */
const dateToleranceMs = 1_000;

/**
 * Looks up the import process once. The client retries the request itself, because reads are safe
 * to repeat. A response that names another supply point or supplier is a failure, and the
 * connections are renewed.
 */
export async function lookUp(
  context: WriteContext,
  request: {
    readonly entry: Entry;
    readonly write: PreparedWrite;
    readonly limits: Limits;
    /** The end of all attempts by the running time. */
    readonly deadline: number;
    readonly purpose: "before" | "after";
  },
  options: SendOptions,
): Promise<LookUp> {
  const { service, clock } = context;
  const { entry, write, limits, deadline, purpose } = request;
  const { target } = entry;
  const { signal } = options;
  if (target.kind !== "supply-point") throw new Error("only supply points have a look-up");
  if (signal.aborted) return { kind: "cancelled" };
  report(options, { kind: "looking-up", journalId: entry.id, purpose });
  const remainingMs = deadline - clock.elapsed();
  const timeoutMs = Math.max(1, Math.min(limits.timeoutMs, remainingMs));
  const { importSupplier, externalIdentifier } = target;
  try {
    const bounds = { signal, timeoutMs, rateLimitWaitMs: Math.max(0, remainingMs - timeoutMs) };
    const response = await service.supplyPoints.status(importSupplier, externalIdentifier, bounds);
    const other = otherItemIn(kindOf(entry.operation), write.facts, exactJsonOf(response.raw));
    if (other !== null) {
      service.renewConnections();
      return { kind: "failed", error: new ServiceError("other-item", other) };
    }
    return { kind: "found", process: response.value, clockAheadMs: service.clockAheadMs() };
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
 * earlier look-up, the process must be created after the entry was recorded, by the service's clock.
 * If that is unknown, two clocks are compared, with a tolerance.
 */
export function confirms(
  entry: Pick<Entry, "lookedUp" | "createdAt">,
  { process, clockAheadMs }: Extract<LookUp, { readonly kind: "found" }>,
): boolean {
  const earlier = entry.lookedUp;
  if (earlier !== null && !earlier.found) return true;
  const created = instantOf(process.created_at);
  if (created === null) return false;
  if (earlier === null) {
    const toleranceMs = clockAheadMs === null ? clockToleranceMs : dateToleranceMs;
    return created >= entry.createdAt - (clockAheadMs ?? 0) - toleranceMs;
  }
  const earlierCreated = instantOf(earlier.created_at);
  return earlierCreated !== null && created > earlierCreated;
}

/** Returns the epoch milliseconds of a time text, or null if it is not a time. */
function instantOf(text: string | null): number | null {
  const instant = text === null ? Number.NaN : Date.parse(text);
  return Number.isNaN(instant) ? null : instant;
}
