import type { Clock } from "../../src/api/clock.ts";

/**
 * Waits are over in the next turn of the event loop, moving time on; what `isDeadline` says of its
 * milliseconds waits until it is called off.
 */
export function racingClock(start: number, isDeadline: (ms: number) => boolean) {
  let now = start;
  const deadlines = new Set<object>();
  const clock: Clock = {
    now: () => now,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const mine = {};
        if (isDeadline(ms)) deadlines.add(mine);
        const onAbort = () => {
          deadlines.delete(mine);
          reject(signal?.reason);
        };
        signal?.addEventListener("abort", onAbort, { once: true });
        if (isDeadline(ms)) return;
        now += ms;
        setImmediate(() => {
          signal?.removeEventListener("abort", onAbort);
          resolve();
        });
      }),
  };
  return { clock, deadlines: () => deadlines.size };
}
