import type { Clock } from "./clock.ts";
import { isServiceError, ServiceError } from "./errors.ts";

export interface RetryOptions {
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
  /** Resends at the most. */
  readonly retries: number;
  /** Epoch milliseconds after which nothing is sent again. */
  readonly deadline: number;
}

const firstWaitMs = 300;
const longestWaitMs = 60_000;

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
  for (let attempt = 0; ; attempt++) {
    try {
      return await call();
    } catch (error) {
      if (!isServiceError(error) || attempt >= options.retries || !mayRepeat(error)) throw error;
      const asked = error.kind === "rate-limited" ? error.facts.retryAfterMs : undefined;
      if (asked !== undefined && asked > longestWaitMs) throw error;
      const wait = asked ?? backOff(attempt);
      if (options.clock.now() + wait >= options.deadline) throw error;
      try {
        await options.clock.sleep(wait, options.signal);
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
