import type { Clock } from "./clock.ts";
import { isServiceError, ServiceError } from "./errors.ts";

/** The conditions that end a call at any point. */
interface DeadlineOptions {
  readonly clock: Clock;
  /** Aborted when the service is closed. */
  readonly closed: AbortSignal;
  /** The signal of the caller. */
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs: number;
}

/** One deadline for token calls, attempts and the waits between them. */
export interface Deadline {
  /** Aborted by the caller, by closing the service, and with a `timeout` at the deadline. */
  readonly signal: AbortSignal;
  /** Returns the milliseconds until the deadline. */
  left(): number;
  /** Extends the deadline by the duration of `wait`: for a wait that the service requested. */
  hold<T>(wait: () => Promise<T>): Promise<T>;
}

/** Runs a call under a deadline of `timeoutMs`. The call can extend it. */
export async function withDeadline<T>(
  options: DeadlineOptions,
  run: (deadline: Deadline) => Promise<T>,
): Promise<T> {
  const { clock, closed, signal, timeoutMs } = options;
  const late = new AbortController();
  const finished = new AbortController();
  let until = clock.now() + timeoutMs;
  let held: Promise<unknown> | null = null;
  const expire = async () => {
    for (;;) {
      const left = until - clock.now();
      if (held !== null) await held.catch(() => {});
      else if (left > 0) await clock.sleep(left, finished.signal);
      else break;
    }
    late.abort(new ServiceError("timeout", `No complete response within ${timeoutMs} ms.`));
  };
  expire().catch(() => {});
  try {
    return await run({
      signal: AbortSignal.any([late.signal, closed, ...(signal ? [signal] : [])]),
      left: () => until - clock.now(),
      async hold(wait) {
        const began = clock.now();
        const waiting = wait();
        held = waiting;
        try {
          return await waiting;
        } finally {
          until += clock.now() - began;
          held = null;
        }
      },
    });
  } finally {
    finished.abort("finished");
  }
}

/** Returns a signal that `from` and a deadline abort with a ServiceError, until its `end`. */
export function follow(
  clock: Clock,
  from: readonly AbortSignal[],
  timeoutMs: number,
): { readonly signal: AbortSignal; readonly end: () => void } {
  // Does not use AbortSignal.any, because its signal outlives the request until memory runs short.
  const stop = new AbortController();
  const finished = new AbortController();
  const onAbort = (event: Event) => stop.abort(abortError(event.target as AbortSignal));
  const givenUp = from.find(({ aborted }) => aborted);
  if (givenUp) stop.abort(abortError(givenUp));
  for (const other of from) other.addEventListener("abort", onAbort, { once: true });
  clock.sleep(timeoutMs, finished.signal).then(
    () => stop.abort(new ServiceError("timeout", `No complete response within ${timeoutMs} ms.`)),
    () => {},
  );
  const end = () => {
    // A constant reason is cheaper than the error that an abort without a reason creates.
    finished.abort("finished");
    for (const other of from) other.removeEventListener("abort", onAbort);
  };
  return { signal: stop.signal, end };
}

/**
 * Returns the error of an aborted call: its reason if that is a ServiceError, else a cancellation.
 */
export function abortError({ reason }: AbortSignal): ServiceError {
  return isServiceError(reason) ? reason : new ServiceError("cancelled", "The call was canceled.");
}

/** Returns the result of `promise`, or throws the signal's error as soon as it is aborted. */
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
 * Runs a call like `withDeadline`. The call must be read to its end when `run` resolves. Leaves no
 * listener or timer.
 */
export async function withWholeDeadline<T>(
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
 * Makes one call for at most `timeoutMs`. Resolves with its failure, or with null for a response.
 * Does not wait for a call that ignores its signal. Rejects only with errors other than
 * ServiceError.
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
