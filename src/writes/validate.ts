/**
 * Validates a supply point at the service (INTERFACE 4.5). Nothing is created, so nothing is
 * recorded in the journal.
 */
import { isServiceError, ServiceError } from "../api/errors.ts";
import { maxRateLimitWaitMs } from "../api/rate-limit.ts";
import type { RawResponse } from "../api/service.ts";
import { jsonOf } from "../json/exact.ts";
import { backOffMs, isRetryableError, situationOf } from "./decide.ts";
import { validateSupplyPointPath } from "./kinds/kind.ts";
import { maxResends, validateRules } from "./retry-table.ts";
import type { WriteContext } from "./send/events.ts";

export interface ValidateOptions {
  readonly signal: AbortSignal;
  /** Time limit of one request in milliseconds. Default: 30 s. */
  readonly timeoutMs?: number | undefined;
}

/**
 * Sends a supply point payload for validation and resolves with the 200 response. Rejects with a
 * ServiceError. An error of the kind `rejected` has the errors of the payload.
 */
export async function validateSupplyPoint(
  context: Pick<WriteContext, "service" | "clock" | "random">,
  body: Uint8Array,
  options: ValidateOptions,
): Promise<RawResponse> {
  const { service, clock, random } = context;
  const { signal, timeoutMs = 30_000 } = options;
  let rateLimitMsLeft = maxRateLimitWaitMs;
  let limited: ServiceError | null = null;
  for (let n = 1; ; ) {
    const waited = await service.rateLimit.pass(rateLimitMsLeft, signal);
    if (waited === null) {
      throw (
        limited ?? new ServiceError("rate-limited", "The service asks every call to wait (429).")
      );
    }
    rateLimitMsLeft -= waited;
    try {
      const response = await service.post(
        { path: validateSupplyPointPath, query: {}, body },
        { signal, timeoutMs, onHeadersSent: () => {} },
      );
      if (response.httpStatus === 200 && jsonOf(response.body) !== undefined) return response;
      const words = "The response to the validation is unreadable.";
      throw new ServiceError("unreadable", words, { ...response, sent: true });
    } catch (thrown) {
      if (!isServiceError(thrown) || signal.aborted || n > maxResends) throw thrown;
      const rule = validateRules[situationOf(thrown)];
      const isResent = rule === "resend" || rule === "wait-and-resend";
      if (!isResent || !isRetryableError(thrown)) throw thrown;
      // The next `rateLimit.pass` waits for the rate limit. That wait does not count as a resend.
      limited = thrown.kind === "rate-limited" ? thrown : null;
      if (limited !== null) continue;
      await clock.sleep(backOffMs(n, random()), signal).catch(() => {});
      if (signal.aborted) throw thrown;
      n += 1;
    }
  }
}
