/** The clock of the program. Tests inject their own clock. */
export interface Clock {
  /** Returns the time in epoch milliseconds. */
  now(): number;
  /** Resolves after `ms` milliseconds. Rejects with the signal's reason if it is aborted first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** The longest timer of Node, in milliseconds. A longer timer would fire immediately. */
const longestTimerMs = 2 ** 31 - 1;

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
      const sleepOn = (left: number) => {
        const piece = Math.min(left, longestTimerMs);
        timer = setTimeout(() => {
          if (left > piece) {
            sleepOn(left - piece);
            return;
          }
          signal?.removeEventListener("abort", onAbort);
          resolve();
        }, piece);
      };
      sleepOn(ms);
      signal?.addEventListener("abort", onAbort, { once: true });
    }),
};
