import type { Clock } from "../../api/clock.ts";

/** Lets one loop sleep until it is woken, or until an instant. */
export function createAlarm(clock: Clock) {
  let rung = false;
  let waiting: (() => void) | null = null;
  return {
    ring: () => {
      rung = true;
      waiting?.();
    },
    /** Resolves when rung since the last wait, or at `until`; null waits for the ring alone. */
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
