/** Wakes the loop of a run when an event occurs or a time is reached. */
import type { Clock } from "../../api/clock.ts";

export function createAlarm(clock: Clock) {
  /** Resolved when the alarm rings. Each wait ends with a new one. */
  let bell = Promise.withResolvers<void>();
  return {
    /** Ends the current wait, or the next one if there is none. */
    ring: () => bell.resolve(),
    /** Resolves when the alarm rings, or at `until` of the running time if it is not null. */
    wait: async (until: number | null) => {
      const awake = new AbortController();
      if (until !== null)
        clock.sleep(until - clock.elapsed(), awake.signal).then(bell.resolve, () => {});
      await bell.promise;
      bell = Promise.withResolvers();
      awake.abort();
    },
  };
}
