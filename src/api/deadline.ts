/** Limits the duration of calls, and ends them if the caller or the closed service aborts them. */
import type { Clock } from "./clock.ts";
import { isServiceError, ServiceError } from "./errors.ts";

interface DeadlineOptions {
  readonly clock: Clock;
  readonly closed: AbortSignal;
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs: number;
}

/** The deadline of a call, which its token calls, attempts and waits share. */
export interface Deadline {
  /** Aborted by the caller, by closing the service, or with a `timeout` at the deadline. */
  readonly signal: AbortSignal;
  /** Returns the milliseconds until the deadline. */
  left(): number;
  /** Extends the deadline by the duration of `wait`, for a wait that the service requested. */
  extendBy<T>(wait: () => Promise<T>): Promise<T>;
}

export async function withDeadline<T>(
  options: DeadlineOptions,
  run: (deadline: Deadline) => Promise<T>,
): Promise<T> {
  const { clock, closed, signal, timeoutMs } = options;
  const expired = new AbortController();
  const finished = new AbortController();
  let until = clock.elapsed() + timeoutMs;
  let extension: Promise<unknown> | null = null;
  const expire = async () => {
    for (;;) {
      const left = until - clock.elapsed();
      if (extension !== null) await extension.catch(() => {});
      else if (left > 0) await clock.limit(left, finished.signal);
      else break;
    }
    expired.abort(
      new ServiceError("timeout", `No complete response within ${timeoutMs / 1_000} s.`),
    );
  };
  expire().catch(() => {});
  try {
    return await run({
      signal: AbortSignal.any([expired.signal, closed, ...(signal ? [signal] : [])]),
      left: () => until - clock.elapsed(),
      async extendBy(wait) {
        const began = clock.elapsed();
        const waiting = wait();
        extension = waiting;
        try {
          return await waiting;
        } finally {
          until += clock.elapsed() - began;
          extension = null;
        }
      },
    });
  } finally {
    finished.abort("finished");
  }
}

/**
 * Returns a signal that is aborted with a ServiceError by any signal in `sources` or after
 * `timeoutMs`. `end` removes its listeners and its timer.
 */
export function follow(
  clock: Clock,
  sources: readonly AbortSignal[],
  timeoutMs: number,
): { readonly signal: AbortSignal; readonly end: () => void } {
  // The signal of AbortSignal.any would stay in memory after the request.
  const stop = new AbortController();
  const finished = new AbortController();
  const onAbort = (event: Event) => stop.abort(abortError(event.target as AbortSignal));
  const alreadyAborted = sources.find(({ aborted }) => aborted);
  if (alreadyAborted) stop.abort(abortError(alreadyAborted));
  for (const source of sources) source.addEventListener("abort", onAbort, { once: true });
  clock.limit(timeoutMs, finished.signal).then(
    () =>
      stop.abort(
        new ServiceError("timeout", `No complete response within ${timeoutMs / 1_000} s.`),
      ),
    () => {},
  );
  const end = () => {
    // A constant reason is cheaper than the error that an abort without a reason creates.
    finished.abort("finished");
    for (const source of sources) source.removeEventListener("abort", onAbort);
  };
  return { signal: stop.signal, end };
}

/** Returns the error of an aborted call: the reason if that is a ServiceError, else a cancellation. */
export function abortError({ reason }: AbortSignal): ServiceError {
  return isServiceError(reason) ? reason : new ServiceError("cancelled", "The call was canceled.");
}

/** Returns the result of `promise`, or throws the error of the signal when that is aborted. */
export async function untilAborted<T>(
  promise: Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  if (!signal) return promise;
  return new Promise<T>((resolve, reject) => {
    const onAbort = () => reject(abortError(signal));
    signal.addEventListener("abort", onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
    if (signal.aborted) onAbort();
  });
}

/**
 * Runs a call with a deadline that cannot be extended. `run` must read the whole response, because
 * the deadline ends with it.
 */
export async function withFixedDeadline<T>(
  { clock, closed, signal, timeoutMs }: DeadlineOptions,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const followed = follow(clock, signal ? [closed, signal] : [closed], timeoutMs);
  try {
    return await run(followed.signal);
  } finally {
    followed.end();
  }
}

/**
 * Makes one call for at most `timeoutMs`. Resolves with its ServiceError, or with null if it
 * succeeded. Does not wait for a call that ignores its signal. Rejects only with other errors.
 */
export async function boundedCall(
  clock: Clock,
  call: (signal: AbortSignal) => Promise<void>,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<ServiceError | null> {
  const followed = follow(clock, [signal], timeoutMs);
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
