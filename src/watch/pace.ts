/** All rules for the time of the next check. All times are in milliseconds. */
import { isServiceError } from "../api/errors.ts";
import { retryAfterOf } from "../api/retry.ts";

/**
 * The limits of all statuses that are checked together: eight a second check a hundred subjects
 * every twelve seconds. That is soon enough for imports that take minutes, and costs neither side
 * much.
 */
export const statusLimits = { perSecond: 8, burst: 8, inFlight: 8 } as const;

/** Returns the interval of one subject when N are checked by status; at least `askedMs`. */
export function statusIntervalMs(subjects: number, askedMs: number): number {
  return Math.max(askedMs, (subjects * 1_000) / statusLimits.perSecond);
}

/** INTERFACE 3 shows no transitions from a final state. */
const finalIntervalMs = 60_000;

/** Returns the interval of the subject that a screen shows. It is long if the state is final. */
export function shownIntervalMs(isFinal: boolean, askedMs: number): number {
  return isFinal ? Math.max(finalIntervalMs, askedMs) : askedMs;
}

/** Checks move by up to this share of the interval. */
const jitter = 0.1;

/** Returns an interval that spreads the checks of many watchers; `random` is from 0 to 1. */
export function spreadMs(intervalMs: number, random: number): number {
  return intervalMs * (1 + jitter * (2 * random - 1));
}

/** The longest wait between two checks while the service fails. */
const longestBackOffMs = 60_000;

/**
 * Returns the wait after N failures in a row: it doubles up to a minute, and is never below the interval
 * or a Retry-After.
 */
export function waitAfter(error: unknown, failures: number, intervalMs: number): number {
  const asked = isServiceError(error) ? (retryAfterOf(error) ?? 0) : 0;
  const backedOff = Math.min(longestBackOffMs, intervalMs * 2 ** Math.max(0, failures - 1));
  return Math.max(intervalMs, backedOff, asked);
}

/** `shown`: a list on the screen on top; `covered`: one behind another screen. */
export type ReloadPace = "shown" | "covered";

const shortestReloadMs = { shown: 30_000, covered: 300_000 } as const;
/** A list loads for at most one part in this many of the time. */
const loadShare = 20;
/** A list was not checked for a while if its next check came later than this many rests. */
const lateRests = 1.5;

/** Returns the pause between two loads of lists, from the duration of the last one. */
export function reloadMs(tookMs: number, pace: ReloadPace = "shown"): number {
  return Math.max(shortestReloadMs[pace], tookMs * loadShare);
}

/** Returns true if a check came far later than one whose list rests for `restMs` should. */
export function isLate(sinceMs: number, restMs: number): boolean {
  return sinceMs > restMs * lateRests;
}

/** Watching by lists, all suppliers together. */
export const roundLimits = {
  windowMs: 60_000,
  /** Requests in any window, lists and look-ups together. */
  requests: 12,
  /** Look-ups among them: the others are for lists, so that rounds go on. */
  lookUps: 8,
} as const;

/** The least time between the beginnings of two rounds, also if you ask for one. */
export const shortestRoundMs = 5_000;

/**
 * Returns the time between the beginnings of two rounds. Rounds of `cost` requests share those that are
 * `left` of the window, which ends in `reliefMs`, so that they do not stop at its end.
 */
export function roundIntervalMs(
  askedMs: number,
  {
    left,
    reliefMs,
    cost,
  }: { readonly left: number; readonly reliefMs: number; readonly cost: number },
): number {
  return Math.max(askedMs, shortestRoundMs, Math.ceil((reliefMs * cost) / (left + 1)));
}

/** Returns the start of the next round. After a large list, the pause is as long as its load. */
export function nextRoundAt(startedAt: number, endedAt: number, intervalMs: number): number {
  return Math.max(startedAt + intervalMs, endedAt + (endedAt - startedAt));
}
