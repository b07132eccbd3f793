import type { Clock } from "./clock.ts";
import { isProxyLoginRefused } from "./connection-error.ts";
import type { Deadline } from "./deadline.ts";
import { isServiceError, ServiceError } from "./errors.ts";
import type { AskedWait } from "./service.ts";

export interface RetryOptions {
  readonly clock: Clock;
  /** Nothing is sent again after it; it is put off by waits that the service asks for. */
  readonly deadline: Deadline;
  /** Resends at the most. */
  readonly retries: number;
  /** How far such waits may put the deadline off, in milliseconds. */
  readonly askedWaitsMs?: number | undefined;
  /** Told of each such wait before it begins. */
  readonly onAskedToWait?: ((wait: AskedWait) => void) | undefined;
}

const firstWaitMs = 300;
const longestWaitMs = 60_000;

/** A longer Retry-After is cut to this: then the service is asked again and may say so again. */
export const longestAskedWaitMs = 60_000;

const defaultAskedWaitsMs = 3 * longestAskedWaitMs;

/**
 * Milliseconds to wait before anything is sent again, because the service asks for it; null when it
 * does not. The one place where Retry-After becomes a wait: for reads, writes, bulk runs and polling.
 */
export function askedWaitOf({ facts }: ServiceError): number | null {
  const { retryAfterMs } = facts;
  return retryAfterMs === undefined ? null : Math.min(retryAfterMs, longestAskedWaitMs);
}

/** Milliseconds before resend number `attempt` (0 the first): exponential, with jitter. */
export function backOff(attempt: number, random: () => number = Math.random): number {
  const full = Math.min(longestWaitMs, firstWaitMs * 2 ** attempt);
  return full / 2 + (full / 2) * random();
}

/**
 * Calls, and calls again what is safe to: reads and the token call that were never sent, got no
 * answer, or a 5xx; a 429 after the time it asks for. Everything else is the answer.
 */
export async function withRetries<T>(options: RetryOptions, call: () => Promise<T>): Promise<T> {
  const { clock, deadline, askedWaitsMs = defaultAskedWaitsMs } = options;
  let room = askedWaitsMs;
  for (let attempt = 0; ; attempt++) {
    try {
      return await call();
    } catch (error) {
      if (!isServiceError(error) || attempt >= options.retries || !mayRepeat(error)) throw error;
      const asked = error.kind === "rate-limited" ? askedWaitOf(error) : null;
      const wait = asked ?? backOff(attempt);
      const putOff = asked === null ? 0 : Math.min(asked, room);
      if (wait >= deadline.left() + putOff) throw error;
      room -= putOff;
      deadline.extend(putOff);
      if (asked !== null && asked > 0) options.onAskedToWait?.({ until: clock.now() + wait });
      try {
        await clock.sleep(wait, deadline.signal);
      } catch (reason) {
        if (isServiceError(reason)) throw reason;
        throw new ServiceError("cancelled", "The call was cancelled.", error.facts);
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
    case "rate-limited":
      return true;
    case "unreadable":
      return error.facts.httpStatus !== undefined;
    default:
      return false;
  }
}
