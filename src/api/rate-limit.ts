/**
 * The rate limit that a service's answers report (429, Retry-After), shared by every call of this
 * process: while one call has to wait, all of them do.
 */
import type { Clock } from "./clock.ts";
import { abortError } from "./deadline.ts";
import { ServiceError } from "./errors.ts";

/** The longest that one call waits in total for the rate limit, in milliseconds. */
export const mostRateLimitWaitMs = 600_000;

/** A longer Retry-After is cut to this; the next answer may ask for another wait. */
export const longestRetryAfterMs = 60_000;

/** The pause after a 429 without Retry-After; it doubles with each one in a row. */
const firstUnaskedMs = 1_000;

/** This many times in a row, a Retry-After shorter than that is respected. */
const mostTrusted = 3;

/** Concurrent reads right after a pause; they double with each answer, and past the maximum the limit ends. */
const firstAfterPause = 1;
const mostAfterPause = 16;

/** A pause that the service has requested (429, Retry-After). */
export interface RateLimitPause {
  /** Epoch milliseconds. */
  readonly until: number;
}

/** Whether an error requests a pause of every call. */
export function asksToWait({ kind, facts }: ServiceError): boolean {
  return kind === "rate-limited" || facts.retryAfterMs !== undefined;
}

/** A limit without any history; `onPause` receives each pause as it begins. */
export function createRateLimit(clock: Clock, onPause?: (wait: RateLimitPause) => void) {
  let pausedUntil = 0;
  /** 429s in a row, those under way together counted once, and when the last one came. */
  let rounds = 0;
  let askedAt = Number.NEGATIVE_INFINITY;
  let allowed = Number.POSITIVE_INFINITY;
  let underWay = 0;
  const waiting: (() => void)[] = [];

  const until = () => (pausedUntil > clock.now() ? pausedUntil : null);
  const wake = () => {
    while (waiting.length > 0 && underWay < allowed) {
      underWay += 1;
      waiting.shift()?.();
    }
  };
  const turn = (signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      const start = () => {
        signal.removeEventListener("abort", leave);
        resolve();
      };
      const leave = () => {
        const at = waiting.indexOf(start);
        if (at !== -1) waiting.splice(at, 1);
        reject(abortError(signal));
      };
      if (signal.aborted) return leave();
      signal.addEventListener("abort", leave, { once: true });
      waiting.push(start);
      wake();
    });

  return {
    /** Epoch milliseconds until which nothing is sent; null when nothing is waited for. */
    until,
    /** Takes in an answer that asks for nothing. */
    answered() {
      rounds = 0;
      allowed = allowed * 2 > mostAfterPause ? Number.POSITIVE_INFINITY : allowed * 2;
      wake();
    },
    /**
     * Takes in a 429, or another failure with a Retry-After, to a request that was sent at `sentAt`
     * (epoch milliseconds); every call waits from now on.
     */
    limited({ facts }: ServiceError, sentAt: number) {
      // Those that were under way together count as one.
      if (sentAt > askedAt) rounds += 1;
      askedAt = clock.now();
      const own = Math.min(longestRetryAfterMs, firstUnaskedMs * 2 ** (rounds - 1));
      // A service that goes on asking for less than it needs is given more.
      const least = rounds > mostTrusted ? own : 0;
      const ms = Math.min(longestRetryAfterMs, Math.max(least, facts.retryAfterMs ?? own));
      allowed = firstAfterPause;
      const next = clock.now() + ms;
      if (next <= pausedUntil) return;
      pausedUntil = next;
      if (ms > 0) onPause?.({ until: next });
    },
    /**
     * Waits until nothing is waited for, up to `mostMs`, and resolves with how long that took; null
     * when it would take longer. Rejects with the signal's error.
     */
    async pass(mostMs: number, signal: AbortSignal) {
      const began = clock.now();
      for (;;) {
        const end = until();
        if (end === null) return clock.now() - began;
        if (end - began > mostMs) return null;
        try {
          await clock.sleep(end - clock.now(), signal);
        } catch (reason) {
          if (reason instanceof ServiceError) throw reason;
          throw new ServiceError("cancelled", "The call was canceled.", { sent: false });
        }
      }
    },
    /**
     * Makes a read when it has its turn: after a pause calls begin one at a time, so that not all of
     * them meet the next 429 together. Rejects as `call` does.
     */
    async read<T>(call: () => Promise<T>, signal: AbortSignal): Promise<T> {
      await turn(signal);
      try {
        return await call();
      } finally {
        underWay -= 1;
        wake();
      }
    },
  };
}

export type RateLimit = ReturnType<typeof createRateLimit>;
