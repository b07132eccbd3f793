import type { Clock } from "../../api/clock.ts";
import { follow, untilAborted } from "../../api/deadline.ts";
import { isServiceError, type ServiceError } from "../../api/errors.ts";
import { mostRateLimitWaitMs } from "../../api/rate-limit.ts";

/**
 * Makes one call, for `timeoutMs` and the longest wait for the rate limit at most, and resolves with
 * its failure, or with null when it was answered. A call that ignores its signal is not waited for.
 * Rejects only with what is no ServiceError.
 */
export async function boundedCall(
  clock: Clock,
  call: (signal: AbortSignal) => Promise<void>,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<ServiceError | null> {
  const followed = follow(clock, [signal], timeoutMs + mostRateLimitWaitMs);
  try {
    await untilAborted(call(followed.signal), followed.signal);
    return null;
  } catch (thrown) {
    if (isServiceError(thrown)) return thrown;
    throw thrown;
  } finally {
    followed.end();
  }
}
