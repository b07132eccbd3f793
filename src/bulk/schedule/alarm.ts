import type { Clock } from "../../api/clock.ts";

/** Creates an alarm: one loop waits until the alarm rings or a time is reached. */
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
     * Resolves when the alarm rings, at once if it rang since the last wait, or at `until` in epoch
     * milliseconds. If `until` is null, only the ring ends the wait.
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
