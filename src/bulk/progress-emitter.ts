/**
 * Reports the progress of a run to a listener: a few times a second, and immediately on a
 * transition.
 */
import type { WriteContext } from "../writes/submit.ts";
import { type RunProgress, rateMs } from "./progress.ts";
import { countsOf } from "./runs.ts";
import type { ScheduleState } from "./schedule/schedule.ts";

const leastGapMs = 200;
const bucketMs = 250;

interface EmitterOptions {
  readonly run: string;
  readonly rows: number;
  readonly onProgress: ((progress: RunProgress) => void) | undefined;
}

export function createProgressEmitter(writes: WriteContext, options: EmitterOptions) {
  const { journal, clock } = writes;
  const { run, rows, onProgress } = options;
  const began = clock.now();
  let buckets: { readonly at: number; count: number }[] = [];
  let reportedAt = Number.NEGATIVE_INFINITY;
  let current: ScheduleState = {
    inFlight: 0,
    limit: 0,
    pause: null,
    slowed: null,
    stopping: false,
    willRetry: 0,
  };

  const perSecond = (now: number): number => {
    buckets = buckets.filter(({ at }) => at > now - rateMs);
    const ended = buckets.reduce((sum, { count }) => sum + count, 0);
    const span = Math.min(rateMs, Math.max(bucketMs, now - began));
    return (ended * 1000) / span;
  };

  const report = () => {
    if (onProgress === undefined) return;
    const now = clock.now();
    reportedAt = now;
    try {
      const stored = journal.read((open) => countsOf(open, run, rows));
      const { inFlight, willRetry, ...shown } = current;
      // Rows that this run will retry count as waiting.
      const retried = Math.min(willRetry, stored.retryable);
      const counts = {
        ...stored,
        retryable: stored.retryable - retried,
        waiting: stored.waiting + retried,
      };
      const rate = perSecond(now);
      const left = counts.waiting + counts.sending;
      const secondsLeft = rate > 0 ? left / rate : null;
      onProgress({ run, rows, counts, inFlight, ...shown, perSecond: rate, secondsLeft });
    } catch {
      // An error of the listener or the journal does not stop the run.
    }
  };

  return {
    /** Counts a row that has ended. */
    rowEnded: () => {
      const at = clock.now();
      const last = buckets.at(-1);
      if (last !== undefined && at - last.at < bucketMs) last.count += 1;
      else buckets.push({ at, count: 1 });
    },
    /** Reports a change, immediately on a transition and otherwise at most five times a second. */
    changed: (state: ScheduleState, isTransition: boolean) => {
      current = state;
      if (isTransition || clock.now() - reportedAt >= leastGapMs) report();
    },
    /** Reports the final counts, with no requests in flight. */
    finish: () => {
      current = { ...current, inFlight: 0, pause: null, willRetry: 0 };
      report();
    },
    /** Reports again, because the rate falls while no row ends. */
    heartbeat: () => {
      if (clock.now() - reportedAt >= leastGapMs) report();
    },
  };
}

export type ProgressEmitter = ReturnType<typeof createProgressEmitter>;
