/** Wakes the loop of a run when an event occurs or a time is reached. */
import type { Clock } from "../../api/clock.ts";

/** Creates an alarm for one waiting loop. */
export function createAlarm(clock: Clock) {
  let rung = false;
  let waiting: (() => void) | null = null;
  return {
    /** Ends the current wait, or the next one if there is none. */
    ring: () => {
      rung = true;
      waiting?.();
    },
    /**
     * Resolves when the alarm rings or at `until` (epoch milliseconds). Resolves immediately if the
     * alarm rang since the last wait. If `until` is null, only the alarm ends the wait.
     */
    wait: async (until: number | null) => {
      if (!rung) {
        const awake = new AbortController();
        const { promise, resolve } = Promise.withResolvers<void>();
        waiting = resolve;
        const sleeping =
          until === null
            ? null
            : clock.sleep(Math.max(0, until - clock.now()), awake.signal).then(resolve, () => {});
        await promise;
        waiting = null;
        awake.abort();
        await sleeping;
      }
      rung = false;
    },
  };
}
