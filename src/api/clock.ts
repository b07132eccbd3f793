/** The clock of the program. Tests use another clock. */
export interface Clock {
  /** Returns the time in epoch milliseconds. */
  now(): number;
  /** Resolves after `ms` milliseconds. Rejects with the signal's reason if it is aborted first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** The maximum time of a Node timer. A longer timer would fire immediately. */
const maxTimerMs = 2 ** 31 - 1;

/** The clock of the machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
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
      sleepFor(ms);
      signal?.addEventListener("abort", onAbort, { once: true });
    }),
};
