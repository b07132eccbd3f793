/** Sends the HTTP request of one attempt, with its time limit and its cancellation. */
import type { Clock } from "../../api/clock.ts";
import { isServiceError, ServiceError } from "../../api/errors.ts";
import type { PostAnswer, PostRequest } from "../../api/service.ts";
import type { StopReason } from "../journal/entry.ts";
import type { WriteService } from "./events.ts";

/**
 * Time that a request in flight may wait for its response after the program must end, in
 * milliseconds.
 */
export const shutdownGraceMs = 800;

/**
 * The abort reason if the program ends. Nothing new begins. A request whose headers were sent waits
 * up to `settleMs` for its response. Any other abort reason ends the request immediately.
 */
export class Ending extends Error {
  readonly settleMs: number;

  constructor(message: string, settleMs: number) {
    super(message);
    this.name = "Ending";
    this.settleMs = settleMs;
  }
}

/** Returns the milliseconds that a request in flight may continue after its signal was aborted. */
export function settleAfter({ reason }: AbortSignal): number {
  return reason instanceof Ending ? reason.settleMs : 0;
}

/** Returns the reason why nothing more may be sent, or null if the signal is not aborted. */
export function stopReasonOf({ aborted, reason }: AbortSignal): StopReason | null {
  if (!aborted) return null;
  return reason === "run-paused" || reason === "run-stopped" ? reason : "cancelled";
}

/** The end of one request. */
export type Sent =
  | {
      readonly kind: "answer";
      readonly answer: PostAnswer;
      readonly headersSentAt: number | null;
    }
  | {
      readonly kind: "failure";
      readonly error: ServiceError;
      readonly headersSentAt: number | null;
    };

/** Maximum wait for a client that ignores its deadline or a cancellation, in milliseconds. */
const graceMs = 2000;

/** A constant abort reason. It is cheaper than the error that an abort without a reason creates. */
const over = "over";

interface SendRequest {
  readonly service: WriteService;
  readonly request: PostRequest;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly onHeadersSent: () => void;
}

/**
 * Sends a request once. Always resolves: with a response, or with the known facts of the failure.
 */
export async function sendOnce(sending: SendRequest): Promise<Sent> {
  const { service, request, clock, signal, timeoutMs } = sending;
  let headersSentAt: number | null = null;
  // Does not use AbortSignal.any, because that signal stays in memory after the request.
  const leaving = new AbortController();
  const guard = new AbortController();
  const giveUp = () => {
    const settleMs = headersSentAt === null ? 0 : settleAfter(signal);
    const cut = () => leaving.abort(signal.reason);
    if (settleMs === 0) return cut();
    clock.sleep(settleMs, guard.signal).then(cut, () => {});
  };
  signal.addEventListener("abort", giveUp, { once: true });
  if (signal.aborted) giveUp();
  const calling = async (): Promise<Sent> => {
    const answer = await service.dispatch(request, {
      signal: leaving.signal,
      timeoutMs,
      onHeadersSent: () => {
        headersSentAt ??= clock.now();
        sending.onHeadersSent();
      },
    });
    return { kind: "answer", answer, headersSentAt };
  };
  const late = async (): Promise<Sent> => {
    await clock.sleep(timeoutMs + graceMs, leaving.signal).catch(() => {});
    guard.signal.throwIfAborted();
    if (signal.aborted) await clock.sleep(graceMs, guard.signal);
    throw signal.aborted
      ? new ServiceError("cancelled", "cancelled")
      : new ServiceError("timeout", `no response within ${timeoutMs} ms`);
  };
  try {
    return await Promise.race([calling(), late()]);
  } catch (thrown) {
    return { kind: "failure", error: failureOf(thrown), headersSentAt };
  } finally {
    signal.removeEventListener("abort", giveUp);
    guard.abort(over);
    leaving.abort(over);
  }
}

/**
 * Converts an error to a ServiceError. Any other error is a defect of this program, and might have
 * occurred at any time.
 */
function failureOf(thrown: unknown): ServiceError {
  if (isServiceError(thrown)) return thrown;
  const words = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : "unknown failure";
  return new ServiceError("unreachable", words);
}
