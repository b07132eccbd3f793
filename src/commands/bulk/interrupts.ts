import type { Io } from "../io.ts";

/** How a run is told to end. */
export interface Interrupts {
  /** Nothing more is to be begun; what is under way is waited for. */
  readonly stop: AbortSignal;
  /** What is under way is to be cancelled, too. */
  readonly cancel: AbortSignal;
  /** Ctrl-C ends the program again. */
  release(): void;
}

/**
 * The first Ctrl-C stops, the second cancels, and a third finds the program as it always is. What
 * ends the program (a hang-up, SIGTERM) cancels at once.
 */
export function holdInterrupts(io: Io): Interrupts {
  const stop = new AbortController();
  const cancel = new AbortController();
  const release = io.onInterrupt(() => {
    if (!stop.signal.aborted) return stop.abort();
    release();
    cancel.abort();
  });
  return {
    stop: stop.signal,
    cancel: AbortSignal.any([cancel.signal, io.signal]),
    release,
  };
}
