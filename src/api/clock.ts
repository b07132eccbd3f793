/** The clock of the program. Tests use another clock. */
export interface Clock {
  /**
   * Returns the time in epoch milliseconds. It can go back or jump, so it is only for the time of an
   * event, never for the length of a wait.
   */
  now(): number;
  /**
   * Returns the running time of the process in whole milliseconds, from an unspecified start. It never
   * goes back, so every wait and limit is measured with it.
   */
  elapsed(): number;
  /**
   * Resolves after `ms` milliseconds, which are 0 or fewer for a moment that has passed. Rejects with
   * the signal's reason if it is aborted first.
   */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /**
   * Resolves when a time limit of `ms` milliseconds of running time is over. Does not count the time
   * in which the process was stopped, and lets it read what arrived in that time first. Rejects with
   * the signal's reason if it is aborted first.
   */
  limit(ms: number, signal?: AbortSignal): Promise<void>;
}

/** The maximum time of a Node timer. A longer timer would fire immediately. */
const maxTimerMs = 2 ** 31 - 1;

const sleep: Clock["sleep"] = (ms, signal) =>
  new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    let timer: NodeJS.Timeout;
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const sleepFor = (remainingMs: number) => {
      const timerMs = Math.min(remainingMs, maxTimerMs);
      timer = setTimeout(() => {
        if (remainingMs > timerMs) {
          sleepFor(remainingMs - timerMs);
          return;
        }
        signal?.removeEventListener("abort", onAbort);
        resolve();
      }, timerMs);
    };
    // Node prints a warning about a negative time.
    sleepFor(Math.max(0, ms));
    signal?.addEventListener("abort", onAbort, { once: true });
  });

/** Time after which a limit looks for a stop of the process, in milliseconds. */
const sliceMs = 1_000;

/** A timer that fires later than this shows that the process was stopped, in milliseconds. */
const maxLateMs = 1_000;

/**
 * Minimum rest of a limit after a stop, in milliseconds. Timers fire before the connections are
 * read, so a response that arrived during the stop would otherwise be lost.
 */
const afterStopMs = 250;

/**
 * Creates the measurement of running time from a time that never goes back but includes stops of the
 * process: Ctrl-Z, a suspended machine, or a snapshot of it.
 */
export function runningTime(
  time: () => number,
  sleep: Clock["sleep"],
): Pick<Clock, "elapsed" | "limit"> {
  /** The known time in which the process was stopped. */
  let stoppedMs = 0;
  /** The end of the last known stop. Several timers are late because of one stop. */
  let stoppedUntil = Number.NEGATIVE_INFINITY;
  return {
    elapsed: () => Math.floor(time() - stoppedMs),
    async limit(ms, signal) {
      for (let leftMs = ms; leftMs > 0; ) {
        const waitMs = Math.min(leftMs, sliceMs);
        const due = time() + waitMs;
        await sleep(waitMs, signal);
        const now = time();
        const lateMs = Math.max(0, now - due);
        leftMs -= waitMs;
        if (lateMs <= maxLateMs) {
          leftMs -= lateMs;
          continue;
        }
        stoppedMs += now - Math.min(now, Math.max(due, stoppedUntil));
        stoppedUntil = now;
        leftMs = Math.max(leftMs, afterStopMs);
      }
    },
  };
}

/** Converts an instant of the running time to epoch milliseconds, to show or report it. */
export function epochOf(clock: Pick<Clock, "now" | "elapsed">, at: number): number {
  return clock.now() + (at - clock.elapsed());
}

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep,
  ...runningTime(() => performance.now(), sleep),
};
