/** Validating a supply point (INTERFACE 4.5): nothing is created, so nothing is journalled. */

import type { Clock } from "../api/clock.ts";
import { isServiceError, ServiceError } from "../api/errors.ts";
import { askedWaitOf } from "../api/retry.ts";
import type { AskedWait, PostAnswer } from "../api/service.ts";
import { mayPass, situationOf } from "./classify.ts";
import type { WriteService } from "./dispatch.ts";
import { validateSupplyPointPath } from "./operations.ts";
import { jsonOf } from "./outcomes/answer-json.ts";
import { mostResends, retryTable } from "./retry-table.ts";
import { backOffMs } from "./submit/waiting.ts";

export interface ValidateOptions {
  readonly signal: AbortSignal;
  /** Bounds one request; 30 s by default. */
  readonly timeoutMs?: number;
  /** Told of each wait that the service asks for, before it begins. */
  readonly onAskedToWait?: (wait: AskedWait) => void;
}

/**
 * Sends a supply point payload to be validated and resolves with the service's 200. Rejects with
 * ServiceError: `rejected` holds the errors of the payload.
 */
export async function validateSupplyPoint(
  context: {
    readonly service: WriteService;
    readonly clock: Clock;
    readonly random: () => number;
  },
  body: Uint8Array,
  options: ValidateOptions,
): Promise<PostAnswer> {
  const { service, clock, random } = context;
  const { signal, timeoutMs = 30_000 } = options;
  for (let n = 1; ; n++) {
    try {
      const answer = await service.dispatch(
        { path: validateSupplyPointPath, query: {}, body },
        { signal, timeoutMs, onHeadersSent: () => {} },
      );
      if (answer.httpStatus === 200 && jsonOf(answer.body) !== undefined) return answer;
      const { httpStatus, body: said } = answer;
      const words = "the answer to the validation cannot be read";
      throw new ServiceError("unreadable", words, { httpStatus, body: said, sent: true });
    } catch (thrown) {
      if (!isServiceError(thrown) || signal.aborted || n > mostResends) throw thrown;
      const rule = retryTable["supply-points validate"][situationOf(thrown)];
      const again = rule === "resend" || rule === "wait-and-resend";
      if (!again || !mayPass(thrown)) throw thrown;
      const asked = askedWaitOf(thrown);
      const waitMs = Math.max(asked ?? 0, backOffMs(n, random));
      if (asked !== null) options.onAskedToWait?.({ until: clock.now() + waitMs });
      await clock.sleep(waitMs, signal).catch(() => {});
      if (signal.aborted) throw thrown;
    }
  }
}
