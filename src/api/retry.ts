/** Repeats calls that are safe to repeat, and waits for the service's rate limit. */
import { log } from "../log/log.ts";
import type { Clock } from "./clock.ts";
import { isProxyLoginRejected } from "./connection-error.ts";
import type { Deadline } from "./deadline.ts";
import { isServiceError, ServiceError } from "./errors.ts";
import { maxRateLimitWaitMs, maxRetryAfterMs, pauseError, type RateLimit } from "./rate-limit.ts";

interface RetryOptions {
  readonly clock: Clock;
  /** The deadline of the call. Waits that the service requests extend it. */
  readonly deadline: Deadline;
  /** Maximum number of resends. Resends after a 429 do not count. */
  readonly retries: number;
  readonly rateLimit: RateLimit;
  /** Maximum total wait for the rate limit, in milliseconds. Default: 10 min. */
  readonly rateLimitWaitMs?: number | undefined;
  readonly onRateLimitWait?: ((until: number) => void) | undefined;
}

/** Maximum wait before the first resend. */
const firstWaitMs = 300;
/** Maximum wait before any resend. */
const maxWaitMs = 60_000;

/** Returns the wait that the service requests in milliseconds, or null if it requests none. */
export function retryAfterOf({ facts }: ServiceError): number | null {
  const { retryAfterMs } = facts;
  return retryAfterMs === undefined ? null : Math.min(retryAfterMs, maxRetryAfterMs);
}

/** Returns the milliseconds before resend `attempt` (from 0): doubled each time, half random. */
export function backOff(attempt: number, random: () => number = Math.random): number {
  const full = Math.min(maxWaitMs, firstWaitMs * 2 ** attempt);
  return full / 2 + (full / 2) * random();
}

/**
 * Makes a call, and repeats it if it was never sent, got no response or got a 5xx, so only reads
 * and the token call can use this function. After a 429, every call of the service waits, and this
 * call is repeated if `retries` is not 0. Any other result is final.
 */
export async function withRetries<T>(options: RetryOptions, call: () => Promise<T>): Promise<T> {
  const { clock, deadline, rateLimit, retries, rateLimitWaitMs = maxRateLimitWaitMs } = options;
  let remainingWaitMs = rateLimitWaitMs;
  let lastLimit: ServiceError | null = null;
  for (let attempt = 0; ; ) {
    const waited = await deadline.extendBy(() =>
      rateLimit.pass(remainingWaitMs, deadline.signal, options.onRateLimitWait),
    );
    if (waited === null) {
      throw lastLimit ?? pauseError(Math.max(0, (rateLimit.until() ?? 0) - clock.now()));
    }
    remainingWaitMs -= waited;
    try {
      return await call();
    } catch (error) {
      if (!isServiceError(error)) throw error;
      if (error.kind === "rate-limited") {
        // A pause began before the request was sent, so the call waits for another turn.
        if (error.facts.sent === false) continue;
        if (retries === 0) throw error;
        lastLimit = error;
        continue;
      }
      if (attempt >= retries || !isRepeatable(error)) throw error;
      const wait = backOff(attempt);
      if (wait >= deadline.left()) throw error;
      attempt += 1;
      const { url = null } = error.facts;
      log({ event: "retry", url, kind: error.kind, n: attempt, waitMs: Math.round(wait) });
      try {
        await clock.sleep(wait, deadline.signal);
      } catch (reason) {
        if (isServiceError(reason)) throw reason;
        throw new ServiceError("cancelled", "The call was canceled.", error.facts);
      }
    }
  }
}

function isRepeatable(error: ServiceError): boolean {
  switch (error.kind) {
    case "unreachable":
      return !isProxyLoginRejected(error);
    case "timeout":
    case "unavailable":
      return true;
    case "unreadable":
      return error.facts.httpStatus !== undefined;
    case "rejected":
    case "unauthorized":
    case "forbidden":
    case "not-found":
    case "rate-limited":
    case "redirect":
    case "unexpected-status":
    case "other-item":
    case "too-large":
    case "tls":
    case "credentials":
    case "cancelled":
    case "invalid-request":
      return false;
  }
}
