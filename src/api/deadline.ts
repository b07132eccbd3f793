import type { Clock } from "./clock.ts";
import { ServiceError } from "./errors.ts";

/** What ends a call, whatever it is waiting for. */
interface DeadlineOptions {
  readonly clock: Clock;
  /** Aborted when the service is closed. */
  readonly closed: AbortSignal;
  /** The caller's own. */
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs: number;
}

/** One deadline over tokens, attempts and the waits between. */
export interface Deadline {
  /** Aborted by the caller, by the end of the service, and with a `timeout` when it is reached. */
  readonly signal: AbortSignal;
  /** Milliseconds until it is reached. */
  left(): number;
  /** Puts it off by as long as `wait` takes: for a wait that the service itself has asked for. */
  hold<T>(wait: Promise<T>): Promise<T>;
}

/** Runs a call under a deadline of `timeoutMs`, which it may hold. */
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
    late.abort(new ServiceError("timeout", `No complete answer within ${timeoutMs} ms.`));
  };
  expire().catch(() => {});
  try {
    return await run({
      signal: AbortSignal.any([late.signal, closed, ...(signal ? [signal] : [])]),
      left: () => until - clock.now(),
      async hold(wait) {
        const began = clock.now();
        held = wait;
        try {
          return await wait;
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

/**
 * The same for a call that has been read to its end when `run` resolves: nothing of it stays behind,
 * while a signal made of others outlives its call until memory runs short.
 */
export async function withWholeDeadline<T>(
  options: DeadlineOptions,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { clock, closed, signal, timeoutMs } = options;
  const ending = new AbortController();
  const finished = new AbortController();
  const from = signal ? [closed, signal] : [closed];
  const onAbort = (event: Event) => ending.abort((event.target as AbortSignal).reason);
  const givenUp = from.find(({ aborted }) => aborted);
  if (givenUp) ending.abort(givenUp.reason);
  for (const other of from) other.addEventListener("abort", onAbort, { once: true });
  clock.sleep(timeoutMs, finished.signal).then(
    () => ending.abort(new ServiceError("timeout", `No complete answer within ${timeoutMs} ms.`)),
    () => {},
  );
  try {
    return await run(ending.signal);
  } finally {
    for (const other of from) other.removeEventListener("abort", onAbort);
    finished.abort("finished");
  }
}
