import type { Clock } from "../../src/api/clock.ts";
import { clockOf } from "../helpers/clock.ts";

/**
 * Waits end in the next turn of the event loop, and move the time; those for which `isDeadline` is
 * true last until they are aborted.
 */
export function racingClock(start: number, isDeadline: (ms: number) => boolean) {
  let now = start;
  const deadlines = new Set<object>();
  const clock: Clock = clockOf({
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
  });
  return { clock, deadlines: () => deadlines.size };
}
