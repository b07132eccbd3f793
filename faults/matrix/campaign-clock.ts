/**
 * Time without waiting. A short sleep is over at once and moves the clock; a long one is a deadline,
 * and passes only when the caller says that nothing else will happen. So a service that never answers
 * costs a campaign no time, and the same seed gives the same run on a fast machine and a slow one.
 */
import type { Clock } from "../../src/api/clock.ts";

export interface CampaignClock extends Clock {
  /** Moves the clock to the next deadline, if there is any. */
  expire(): void;
}

interface Deadline {
  readonly due: number;
  readonly wake: () => void;
}

/** A sleep of at least `deadlineMs` is a deadline. */
export function campaignClock(start: number, deadlineMs: number): CampaignClock {
  let now = start;
  const deadlines = new Set<Deadline>();
  const wakeDue = () => {
    for (const deadline of [...deadlines]) if (deadline.due <= now) deadline.wake();
  };
  return {
    now: () => now,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const onAbort = () => {
          deadlines.delete(deadline);
          reject(signal?.reason);
        };
        const deadline: Deadline = {
          due: Math.ceil(now + ms),
          wake: () => {
            deadlines.delete(deadline);
            signal?.removeEventListener("abort", onAbort);
            resolve();
          },
        };
        signal?.addEventListener("abort", onAbort, { once: true });
        deadlines.add(deadline);
        if (ms >= deadlineMs) return;
        setImmediate(() => {
          if (!deadlines.has(deadline)) return;
          now = Math.max(now, deadline.due);
          wakeDue();
        });
      }),
    expire: () => {
      let next = Number.POSITIVE_INFINITY;
      for (const { due } of deadlines) next = Math.min(next, due);
      if (next === Number.POSITIVE_INFINITY) return;
      now = Math.max(now, next);
      wakeDue();
    },
  };
}
