import type { Clock } from "./clock.ts";
import { isProxyLoginRefused } from "./connection-error.ts";
import type { Deadline } from "./deadline.ts";
import { isServiceError, ServiceError } from "./errors.ts";
import {
  asksToWait,
  longestRetryAfterMs,
  mostRateLimitWaitMs,
  type RateLimit,
} from "./rate-limit.ts";

interface RetryOptions {
  readonly clock: Clock;
  /** Nothing is sent again after it; it is put off by waits that the service asks for. */
  readonly deadline: Deadline;
  /** Resends at the most; waits for a rate limit use none of them up. */
  readonly retries: number;
  readonly rateLimit: RateLimit;
  /** How long such waits may take in all, in milliseconds; ten minutes by default. */
  readonly rateLimitWaitMs?: number | undefined;
}

const firstWaitMs = 300;
const longestWaitMs = 60_000;

/**
 * Milliseconds to wait before anything is sent again, because the service asks for it; null when it
 * does not.
 */
export function retryAfterOf({ facts }: ServiceError): number | null {
  const { retryAfterMs } = facts;
  return retryAfterMs === undefined ? null : Math.min(retryAfterMs, longestRetryAfterMs);
}

/** Milliseconds before resend number `attempt` (0 the first): exponential, with jitter. */
export function backOff(attempt: number, random: () => number = Math.random): number {
  const full = Math.min(longestWaitMs, firstWaitMs * 2 ** attempt);
  return full / 2 + (full / 2) * random();
}

/**
 * Calls, and calls again what is safe to: reads and the token call that were never sent, got no
 * answer, or a 5xx. A 429 makes every call of the service wait, and this one is made again after
 * that, unless it asks for no retries. Everything else is the answer.
 */
export async function withRetries<T>(options: RetryOptions, call: () => Promise<T>): Promise<T> {
  const { clock, deadline, rateLimit, retries, rateLimitWaitMs = mostRateLimitWaitMs } = options;
  let room = rateLimitWaitMs;
  let limited: ServiceError | null = null;
  for (let attempt = 0; ; ) {
    const waited = await deadline.hold(rateLimit.pass(room, deadline.signal));
    if (waited === null) throw limited ?? tooLong(rateLimit, clock);
    room -= waited;
    const sentAt = clock.now();
    try {
      const value = await call();
      rateLimit.answered();
      return value;
    } catch (error) {
      if (!isServiceError(error)) throw error;
      if (asksToWait(error)) rateLimit.limited(error, sentAt);
      else if (error.facts.httpStatus !== undefined) rateLimit.answered();
      if (error.kind === "rate-limited") {
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

/** A call that was not made, because others are to wait for longer than it may. */
function tooLong(rateLimit: RateLimit, clock: Clock): ServiceError {
  const retryAfterMs = Math.max(0, (rateLimit.until() ?? 0) - clock.now());
  const words = "The service asks every call to wait (429).";
  return new ServiceError("rate-limited", words, { sent: false, retryAfterMs });
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
