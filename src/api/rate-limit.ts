/**
 * Applies the service's rate limit (429, Retry-After) to every call of this process. A call waits
 * with `pass`. Each request checks `mayLeave` again before it is sent.
 */
import { log } from "../log/log.ts";
import { type Clock, epochOf } from "./clock.ts";
import { abortError } from "./deadline.ts";
import { ServiceError } from "./errors.ts";
import { type Departure, learnSpacing } from "./spacing.ts";

/** Maximum total wait of one call for the rate limit, in milliseconds. */
export const maxRateLimitWaitMs = 600_000;

/** Maximum wait for a Retry-After. The response after a shortened one can request another wait. */
export const maxRetryAfterMs = 60_000;

/** Milliseconds of the pause after a 429 without Retry-After. Doubles with each consecutive 429. */
const firstPauseMs = 1_000;

/** Number of consecutive 429s whose Retry-After is trusted even if the computed pause is longer. */
const maxTrustedRounds = 3;

/** Maximum milliseconds for which other requests wait for the first response after a pause. */
const maxTrialMs = 2_000;

/** Minimum wait for a turn that is logged, in milliseconds. */
const loggedWaitMs = 10;

/** A pause that the service has requested (429, Retry-After). */
export interface RateLimitPause {
  /** The end of the pause, in epoch milliseconds. */
  readonly until: number;
}

interface PauseRequest {
  /** True for a 429. Another failure does not show that the rate is too high. */
  readonly isTooMany: boolean;
  /** The wait of Retry-After, or undefined if it is absent or unreadable. */
  readonly retryAfterMs: number | undefined;
}

interface Waiter {
  /** The latest time at which a turn is granted. */
  readonly latest: number;
  readonly onWait: ((until: number) => void) | undefined;
  readonly end: (isGranted: boolean) => void;
}

/** Creates a rate limit without history. `onPause` is called when a pause begins. */
export function createRateLimit(clock: Clock, onPause?: (wait: RateLimitPause) => void) {
  const spacing = learnSpacing();
  /** Every time below is from this clock, unless it is in epoch milliseconds. */
  const now = () => clock.elapsed();
  /** Converts such a time to epoch milliseconds. */
  const epoch = (at: number) => epochOf(clock, at);
  let pausedUntil = Number.NEGATIVE_INFINITY;
  /** Number of consecutive 429s. Those of requests that were in progress together count once. */
  let rounds = 0;
  /** The time of the last response that requested a pause. */
  let limitedAt = Number.NEGATIVE_INFINITY;
  let grantedAt = Number.NEGATIVE_INFINITY;
  /** True from a 429 until a request gets another response. */
  let isTrying = false;
  /** The time at which the trial request was granted its turn, or null if none is in progress. */
  let trialAt: number | null = null;
  const waiting = new Set<Waiter>();
  /** Ends the sleep until the next turn. */
  let sleeping: AbortController | null = null;

  const dueAt = () => {
    const trial = isTrying && trialAt !== null ? trialAt + maxTrialMs : now();
    return Math.max(now(), pausedUntil, grantedAt + spacing.ms(), trial);
  };
  /** Grants the due turns, ends waits that would be too long, and sleeps until the next turn. */
  const grant = () => {
    sleeping?.abort("over");
    sleeping = null;
    for (const waiter of waiting) {
      const due = dueAt();
      // A turn that is due is granted to a call that may not wait, even if a moment has passed.
      if (due <= now()) {
        waiting.delete(waiter);
        grantedAt = now();
        if (isTrying) trialAt = grantedAt;
        waiter.end(true);
      } else if (due > waiter.latest) {
        waiting.delete(waiter);
        waiter.end(false);
      }
    }
    if (waiting.size === 0) return;
    const sleep = new AbortController();
    sleeping = sleep;
    clock.sleep(dueAt() - now(), sleep.signal).then(grant, () => {});
  };
  /**
   * Returns the expected end of a call's wait in epoch milliseconds. `ahead` is the number of calls
   * that get their turn earlier.
   */
  const endFor = (ahead: number) => epoch(dueAt() + ahead * spacing.ms());
  const until = () => (pausedUntil > now() ? epoch(pausedUntil) : null);

  return {
    /** Returns the end of the requested pause in epoch milliseconds, or null if there is none. */
    until,
    /**
     * Waits for a turn, at most `maxMs`. Resolves with the elapsed milliseconds, or with null if
     * the wait would be longer. `onWait` is called with the expected end of the wait, and again if
     * another pause begins. Rejects with the signal's error.
     */
    async pass(
      maxMs: number,
      signal: AbortSignal,
      onWait?: (until: number) => void,
    ): Promise<number | null> {
      const began = now();
      if (signal.aborted) throw abortError(signal);
      const { promise, resolve, reject } = Promise.withResolvers<boolean>();
      const waiter: Waiter = { latest: began + maxMs, onWait, end: resolve };
      const onAbort = () => {
        waiting.delete(waiter);
        reject(abortError(signal));
        grant();
      };
      signal.addEventListener("abort", onAbort, { once: true });
      const ahead = waiting.size;
      waiting.add(waiter);
      grant();
      if (waiting.has(waiter)) onWait?.(endFor(ahead));
      try {
        const isGranted = await promise;
        const waitedMs = now() - began;
        if (waitedMs >= loggedWaitMs) log({ event: "turn", waitedMs, isGranted });
        return isGranted ? waitedMs : null;
      } finally {
        signal.removeEventListener("abort", onAbort);
      }
    },
    /** Returns the error if no request can be sent now, or null if one can. */
    mayLeave(): ServiceError | null {
      const left = pausedUntil - now();
      return left > 0 ? pauseError(left) : null;
    },
    departed: (): Departure => spacing.departed(now()),
    /** Records a response that requests no pause. */
    answered(departure: Departure): void {
      rounds = 0;
      isTrying = false;
      spacing.accepted(departure);
      grant();
    },
    /** Records a request that ended without a response or was not sent. */
    unanswered(): void {
      trialAt = null;
      grant();
    },
    /** Records a response that requests a pause. Every later call waits for its end. */
    limited({ isTooMany, retryAfterMs }: PauseRequest, departure: Departure): void {
      // 429s of requests that were in progress together count once.
      const isNew = departure.at > limitedAt;
      if (isNew) rounds += 1;
      limitedAt = now();
      const computedMs = Math.min(maxRetryAfterMs, firstPauseMs * 2 ** Math.max(0, rounds - 1));
      // The requested waits were too short if there are too many rounds.
      const minMs = rounds > maxTrustedRounds ? computedMs : 0;
      const ms = Math.min(maxRetryAfterMs, Math.max(minMs, retryAfterMs ?? computedMs));
      if (isTooMany && isNew) spacing.limited(departure, now(), ms);
      isTrying = true;
      trialAt = null;
      if (now() + ms > pausedUntil) {
        pausedUntil = now() + ms;
        if (ms > 0) {
          log({ event: "pause", isTooMany, ms });
          onPause?.({ until: epoch(pausedUntil) });
        }
        for (const [ahead, { onWait }] of [...waiting].entries()) onWait?.(endFor(ahead));
      }
      grant();
    },
  };
}

export type RateLimit = ReturnType<typeof createRateLimit>;

/** Returns the error for a request that a pause stops. `retryAfterMs` is the rest of the pause. */
export function pauseError(retryAfterMs: number): ServiceError {
  const message = "The service asks every call to wait (429).";
  return new ServiceError("rate-limited", message, { sent: false, retryAfterMs });
}

/**
 * Returns the wait of a response's Retry-After in milliseconds, or undefined if the header is
 * neither a number of seconds nor an HTTP date. A date is by the service's clock, so it is compared
 * with the Date of the same response. Without one, it is compared with `receivedAt`, in epoch
 * milliseconds.
 */
export function retryAfter(
  header: (name: string) => string | null,
  receivedAt: number,
): number | undefined {
  const text = header("retry-after")?.trim() ?? "";
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000;
  const at = /^[A-Z][a-z]{2,8},? /.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(at)) return undefined;
  const date = Date.parse(header("date") ?? "");
  return Math.max(0, at - (Number.isNaN(date) ? receivedAt : date));
}
