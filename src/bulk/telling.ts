/** Tells how a run goes: a few times a second, and at once when something turns. */
import type { WriteContext } from "../writes/submit.ts";
import type { RunProgress } from "./progress.ts";
import { countsOf } from "./runs.ts";
import type { ScheduleState } from "./schedule/schedule.ts";

const leastGapMs = 200;
/** The rate is over so long. */
const rateMs = 5_000;
const bucketMs = 250;

export interface Telling {
  /** A row came to its end. */
  settled(): void;
  /** Something has changed; told soon, or at once when it is a turn. */
  changed(standing: ScheduleState, turn: boolean): void;
  /** Tells what there is now, with nothing under way any more. */
  last(): void;
  /** Tells again what was told, for the rate that goes down while nothing happens. */
  beat(): void;
}

export interface TellingOptions {
  readonly run: string;
  readonly rows: number;
  /** A read is not on record while it is under way. */
  readonly reads: boolean;
  readonly onProgress: ((progress: RunProgress) => void) | undefined;
}

export function createTelling(writes: WriteContext, options: TellingOptions): Telling {
  const { journal, clock } = writes;
  const { run, rows, reads, onProgress } = options;
  const began = clock.now();
  let buckets: { readonly at: number; count: number }[] = [];
  let toldAt = Number.NEGATIVE_INFINITY;
  let standing: ScheduleState = {
    inFlight: 0,
    limit: 0,
    pause: null,
    slowed: null,
    stopping: false,
    willRetry: 0,
  };

  const perSecond = (now: number): number => {
    buckets = buckets.filter(({ at }) => at > now - rateMs);
    const settled = buckets.reduce((sum, { count }) => sum + count, 0);
    const span = Math.min(rateMs, Math.max(bucketMs, now - began));
    return (settled * 1000) / span;
  };

  const tell = () => {
    if (onProgress === undefined) return;
    const now = clock.now();
    toldAt = now;
    try {
      const kept = journal.read((open) => countsOf(open, run, rows));
      const { inFlight, willRetry, ...shown } = standing;
      // What this run takes up again has not come to its end.
      const retried = Math.min(willRetry, kept.retryable);
      const counts = reads
        ? { ...kept, waiting: Math.max(0, kept.waiting - inFlight), sending: inFlight }
        : { ...kept, retryable: kept.retryable - retried, waiting: kept.waiting + retried };
      const rate = perSecond(now);
      const left = counts.waiting + counts.sending;
      const secondsLeft = rate > 0 ? left / rate : null;
      onProgress({ run, rows, counts, inFlight, ...shown, perSecond: rate, secondsLeft });
    } catch {
      // Neither a fault of whoever listens nor one of the journal at this moment is the run's.
    }
  };

  return {
    settled: () => {
      const at = clock.now();
      const last = buckets.at(-1);
      if (last !== undefined && at - last.at < bucketMs) last.count += 1;
      else buckets.push({ at, count: 1 });
    },
    changed: (now, turn) => {
      standing = now;
      if (turn || clock.now() - toldAt >= leastGapMs) tell();
    },
    last: () => {
      standing = { ...standing, inFlight: 0, pause: null, willRetry: 0 };
      tell();
    },
    beat: () => {
      if (clock.now() - toldAt >= leastGapMs) tell();
    },
  };
}
