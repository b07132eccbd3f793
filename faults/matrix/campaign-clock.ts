/**
 * Time without waiting. A short sleep is over at once and moves the clock; a long one is a deadline, or
 * a pause that the service asks for, and passes only when nothing else will happen. So a service that
 * never answers costs a campaign no time, and the same seed gives the same run on every machine.
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

/** Nothing else will happen if nothing did for this long, and in this many turns of the event loop. */
const idleMs = 250;
const idleTurns = 50;

/** A sleep of at least `deadlineMs` is long. `isBusy`: a request is at the service, which reports its end. */
export function campaignClock(
  start: number,
  deadlineMs: number,
  isBusy: () => boolean,
): CampaignClock {
  let now = start;
  let sleeps = 0;
  let timer: NodeJS.Timeout | null = null;
  const deadlines = new Set<Deadline>();
  const moveTo = (at: number) => {
    now = Math.max(now, at);
    for (const deadline of [...deadlines]) if (deadline.due <= now) deadline.wake();
  };
  const expire = () => {
    let next = Number.POSITIVE_INFINITY;
    for (const { due } of deadlines) next = Math.min(next, due);
    if (next !== Number.POSITIVE_INFINITY) moveTo(next);
  };
  const passIfIdle = async () => {
    timer = null;
    const before = sleeps;
    for (let turn = 0; turn < idleTurns; turn++) await new Promise(setImmediate);
    if (sleeps === before && !isBusy()) expire();
    watch();
  };
  const watch = () => {
    if (timer !== null) timer.refresh();
    else if (deadlines.size > 0) timer = setTimeout(passIfIdle, idleMs).unref();
  };
  const sleep: Clock["sleep"] = (ms, signal) =>
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
      sleeps += 1;
      watch();
      if (ms >= deadlineMs) return;
      setImmediate(() => {
        if (deadlines.has(deadline)) moveTo(deadline.due);
      });
    });
  return { now: () => now, elapsed: () => now, sleep, limit: sleep, expire };
}
