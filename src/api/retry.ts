/** Repeats calls that are safe to repeat, and waits for the service's rate limit. */
import type { Clock } from "./clock.ts";
import { isProxyLoginRefused } from "./connection-error.ts";
import type { Deadline } from "./deadline.ts";
import { isServiceError, ServiceError } from "./errors.ts";
import {
  longestRetryAfterMs,
  maxRateLimitWaitMs,
  pauseError,
  type RateLimit,
} from "./rate-limit.ts";

interface RetryOptions {
  readonly clock: Clock;
  /** The deadline, after which nothing is sent again. Waits that the service requests extend it. */
  readonly deadline: Deadline;
  /** Maximum number of resends. Repeats after a 429 do not count. */
  readonly retries: number;
  readonly rateLimit: RateLimit;
  /** Maximum total wait for the rate limit, in milliseconds. Default: 10 min. */
  readonly rateLimitWaitMs?: number | undefined;
  readonly onRateLimitWait?: ((until: number) => void) | undefined;
}

const firstWaitMs = 300;
const longestWaitMs = 60_000;

/** Returns the wait that the service requests in milliseconds, or null if it requests none. */
export function retryAfterOf({ facts }: ServiceError): number | null {
  const { retryAfterMs } = facts;
  return retryAfterMs === undefined ? null : Math.min(retryAfterMs, longestRetryAfterMs);
}

/**
 * Returns the wait in milliseconds before resend `attempt` (from 0). It doubles each time and has a
 * random part.
 */
export function backOff(attempt: number, random: () => number = Math.random): number {
  const full = Math.min(longestWaitMs, firstWaitMs * 2 ** attempt);
  return full / 2 + (full / 2) * random();
}

/**
 * Makes a call, and repeats it if it was never sent, got no response or got a 5xx. It is for reads
 * and the token call only. After a 429, every call of the service waits, and this call is repeated
 * if `retries` is not 0. Any other result is final.
 */
export async function withRetries<T>(options: RetryOptions, call: () => Promise<T>): Promise<T> {
  const { clock, deadline, rateLimit, retries, rateLimitWaitMs = maxRateLimitWaitMs } = options;
  let room = rateLimitWaitMs;
  let limited: ServiceError | null = null;
  for (let attempt = 0; ; ) {
    const waited = await deadline.hold(() =>
      rateLimit.pass(room, deadline.signal, options.onRateLimitWait),
    );
    if (waited === null) {
      throw limited ?? pauseError(Math.max(0, (rateLimit.until() ?? 0) - clock.now()));
    }
    room -= waited;
    try {
      return await call();
    } catch (error) {
      if (!isServiceError(error)) throw error;
      if (error.kind === "rate-limited") {
        // A pause stopped the request before it was sent, so it waits for another turn.
        if (error.facts.sent === false) continue;
        if (retries === 0) throw error;
        limited = error;
        continue;
      }
      if (attempt >= retries || !mayRepeat(error)) throw error;
      const wait = backOff(attempt);
      if (wait >= deadline.left()) throw error;
      attempt += 1;
      try {
        await clock.sleep(wait, deadline.signal);
      } catch (reason) {
        if (isServiceError(reason)) throw reason;
        throw new ServiceError("cancelled", "The call was canceled.", error.facts);
      }
    }
  }
}

function mayRepeat(error: ServiceError): boolean {
  switch (error.kind) {
    case "unreachable":
      return !isProxyLoginRefused(error);
    case "timeout":
    case "unavailable":
      return true;
    case "unreadable":
      return error.facts.httpStatus !== undefined;
    default:
      return false;
  }
}
