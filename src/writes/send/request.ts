/** Sends the HTTP request of one attempt, after its turn under the service's rate limit. */
import { isServiceError, ServiceError } from "../../api/errors.ts";
import type { RawResponse } from "../../api/service.ts";
import { kindOf } from "../kinds/kinds.ts";
import type { PreparedWrite } from "../prepare.ts";
import { report, type SendOptions, settleAfter, type WriteContext } from "./events.ts";

interface Turn {
  readonly id: number;
  readonly isFirst: boolean;
  readonly maxMs: number;
}

/**
 * Waits for the service's rate limit and reports the wait. Resolves with the elapsed milliseconds,
 * also after an abort, or with null if the wait would exceed `maxMs`.
 */
export async function takeTurn(
  { service, clock }: WriteContext,
  { id, isFirst, maxMs }: Turn,
  options: SendOptions,
): Promise<number | null> {
  const before = isFirst ? "send" : "resend";
  const wait = { kind: "waiting", journalId: id, why: "rate-limit", before, skip: null } as const;
  const began = clock.elapsed();
  try {
    return await service.rateLimit.pass(maxMs, options.signal, (until) =>
      report(options, { ...wait, until }),
    );
  } catch (error) {
    if (!options.signal.aborted) throw error;
    return clock.elapsed() - began;
  }
}

export type Sent = (
  | { readonly kind: "answer"; readonly answer: RawResponse }
  | { readonly kind: "failure"; readonly error: ServiceError }
) & { readonly headersSentAt: number | null };

interface Attempt {
  readonly id: number;
  readonly n: number;
  readonly write: PreparedWrite;
  readonly timeoutMs: number;
  readonly mayLeave: () => boolean;
}

/** Maximum wait for a client that ignores its deadline or a cancellation, in milliseconds. */
const graceMs = 2000;

/** A constant abort reason. An abort without a reason would create an error, which is slower. */
const finished = "finished";

/**
 * Sends a request once, and reports when its headers are sent. Always resolves: with a response, or
 * with the known facts of the failure.
 */
export async function sendOnce(
  { service, clock }: WriteContext,
  { id, n, write, timeoutMs, mayLeave }: Attempt,
  options: SendOptions,
): Promise<Sent> {
  const { path, query, body, operation } = write;
  const { signal } = options;
  let headersSentAt: number | null = null;
  // Does not use AbortSignal.any, because that signal stays in memory after the request.
  const request = new AbortController();
  const timers = new AbortController();
  const onAbort = () => {
    const settleMs = headersSentAt === null ? 0 : settleAfter(signal);
    const abortRequest = () => request.abort(signal.reason);
    if (settleMs === 0) return abortRequest();
    clock.sleep(settleMs, timers.signal).then(abortRequest, () => {});
  };
  signal.addEventListener("abort", onAbort, { once: true });
  if (signal.aborted) onAbort();
  const call = async (): Promise<Sent> => {
    const freshConnection = kindOf(operation).readBack.by === "nothing";
    const content = { path, query, body, freshConnection };
    const answer = await service.post(content, {
      signal: request.signal,
      timeoutMs,
      mayLeave,
      onHeadersSent: () => {
        headersSentAt ??= clock.now();
        report(options, { kind: "headers-sent", journalId: id, n });
        void options.atPoint?.("headers-sent");
      },
    });
    return { kind: "answer", answer, headersSentAt };
  };
  const timeOut = async (): Promise<Sent> => {
    await clock.limit(timeoutMs + graceMs, request.signal).catch(() => {});
    timers.signal.throwIfAborted();
    if (signal.aborted) await clock.sleep(graceMs, timers.signal);
    throw signal.aborted
      ? new ServiceError("cancelled", "cancelled")
      : new ServiceError("timeout", `no response within ${timeoutMs} ms`);
  };
  try {
    return await Promise.race([call(), timeOut()]);
  } catch (thrown) {
    return { kind: "failure", error: failureOf(thrown), headersSentAt };
  } finally {
    signal.removeEventListener("abort", onAbort);
    timers.abort(finished);
    request.abort(finished);
  }
}

/** Converts an error to a ServiceError. Any other is a defect of this program, of unknown time. */
function failureOf(thrown: unknown): ServiceError {
  if (isServiceError(thrown)) return thrown;
  const words = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : "unknown failure";
  return new ServiceError("unreachable", words);
}
