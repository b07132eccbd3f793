import type { Clock } from "./clock.ts";
import { ServiceError } from "./errors.ts";

/** What ends a call, whatever it is waiting for. */
export interface DeadlineOptions {
  readonly clock: Clock;
  /** Aborted when the service is closed. */
  readonly closed: AbortSignal;
  /** The caller's own. */
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs: number;
}

/**
 * Runs a call under a signal that is aborted by the caller, by the end of the service, and with a
 * `timeout` once `timeoutMs` have passed: one deadline over tokens, attempts and the waits between.
 */
export async function withDeadline<T>(
  options: DeadlineOptions,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { clock, closed, signal, timeoutMs } = options;
  const late = new AbortController();
  const finished = new AbortController();
  clock.sleep(timeoutMs, finished.signal).then(
    () => late.abort(new ServiceError("timeout", `No whole answer within ${timeoutMs} ms.`)),
    () => {},
  );
  try {
    return await run(AbortSignal.any([late.signal, closed, ...(signal ? [signal] : [])]));
  } finally {
    finished.abort();
  }
}
