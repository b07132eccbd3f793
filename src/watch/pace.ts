/**
 * The rules for the time of the next check of a watched subject or list. All times are in
 * milliseconds.
 */
import { isServiceError } from "../api/errors.ts";
import { retryAfterOf } from "../api/retry.ts";

/**
 * The limits on all status checks together. Eight checks per second are enough to check a hundred
 * subjects every twelve seconds. That is soon enough for imports that take minutes, and a small
 * load for both sides.
 */
export const statusLimits = { perSecond: 8, burst: 8, inFlight: 8 } as const;

/** Returns the interval of one of N subjects checked by status, at least `intervalMs`. */
export function statusIntervalMs(subjects: number, intervalMs: number): number {
  return Math.max(intervalMs, (subjects * 1_000) / statusLimits.perSecond);
}

/** Milliseconds between two checks of a final state, which has no transitions in INTERFACE 3. */
const finalIntervalMs = 60_000;

export function shownIntervalMs(isFinal: boolean, intervalMs: number): number {
  return isFinal ? Math.max(finalIntervalMs, intervalMs) : intervalMs;
}

const jitter = 0.1;

export function spreadMs(intervalMs: number, random: number): number {
  return intervalMs * (1 + jitter * (2 * random - 1));
}

/** Maximum milliseconds between two checks while the service fails, without a Retry-After. */
export const longestBackOffMs = 60_000;

/**
 * Returns the wait in milliseconds after `failures` failures in a row. The wait doubles up to a
 * minute, and is never below the interval or a Retry-After.
 */
export function waitAfter(error: unknown, failures: number, intervalMs: number): number {
  const retryAfterMs = isServiceError(error) ? (retryAfterOf(error) ?? 0) : 0;
  const backedOff = Math.min(longestBackOffMs, intervalMs * 2 ** Math.max(0, failures - 1));
  return Math.max(intervalMs, backedOff, retryAfterMs);
}

/** The pace of reloads: `shown` for a list on the top screen, `covered` for one behind it. */
export type ReloadPace = "shown" | "covered";

const shortestReloadMs = { shown: 30_000, covered: 300_000 } as const;
const loadMultiple = 20;
const latePauses = 1.5;

export function reloadMs(tookMs: number, pace: ReloadPace = "shown"): number {
  return Math.max(shortestReloadMs[pace], tookMs * loadMultiple);
}

export function isLate(sinceMs: number, pauseMs: number): boolean {
  return sinceMs > pauseMs * latePauses;
}

export const roundLimits = {
  windowMs: 60_000,
  requests: 12,
  /** Maximum lookups in a window. Other requests are for lists, so that rounds continue. */
  lookUps: 8,
} as const;

export const shortestRoundMs = 5_000;

/**
 * Returns the milliseconds between the starts of two rounds of `cost` requests each. The window has
 * `left` requests left, and has room for more after `reliefMs` milliseconds. The rounds are spread
 * so that the requests last until then.
 */
export function roundIntervalMs(
  intervalMs: number,
  {
    left,
    reliefMs,
    cost,
  }: { readonly left: number; readonly reliefMs: number; readonly cost: number },
): number {
  return Math.max(intervalMs, shortestRoundMs, Math.ceil((reliefMs * cost) / (left + 1)));
}

/** Returns the start of the next round. After a large list, the pause is as long as its load. */
export function nextRoundAt(startedAt: number, endedAt: number, intervalMs: number): number {
  return Math.max(startedAt + intervalMs, endedAt + (endedAt - startedAt));
}
