/** Reports the progress of a bulk run to a listener, and formats that progress for the user. */
import { formatInstant } from "../text/dates.ts";
import { wholeSeconds } from "../text/durations.ts";
import { count } from "../text/numbers.ts";
import { safe } from "../text/sanitize.ts";
import type { WriteContext } from "../writes/send/events.ts";
import type { RunCounts } from "./run-record.ts";
import { countsOf } from "./runs.ts";

const rateWindowMs = 5_000;

/** The progress of a run. It is reported at most five times a second, and on every transition. */
export interface RunProgress {
  readonly run: string;
  readonly rows: number;
  readonly counts: RunCounts;
  readonly inFlight: number;
  /** Maximum number of requests in flight. */
  readonly limit: number;
  /** Number of rows that ended per second, over the last {@link measuredMs}. */
  readonly perSecond: number;
  /** The milliseconds since the run started or resumed, at most {@link rateWindowMs}. */
  readonly measuredMs: number;
  /** The remaining time in seconds at the current rate, or null if the rate is 0. */
  readonly secondsLeft: number | null;
  /**
   * The current pause, or null if there is none. Nothing new is sent during a pause, because the
   * service fails or requested the pause, or because the team's database does not answer.
   */
  readonly pause: {
    readonly of: "service" | "team";
    /** Start of the pause, in epoch milliseconds. */
    readonly since: number;
    readonly why: string;
    /** Time of the next attempt to reach the service, in epoch milliseconds. */
    readonly nextTryAt: number;
    /** Tries the service at once. Null during an attempt, or if the service requested the pause. */
    readonly tryNow: (() => void) | null;
  } | null;
  /**
   * The reason why the run is slowed, and the time in epoch milliseconds since which it is slowed,
   * or null if it is not. A slowed run has half the maximum number of requests in flight, because
   * the service failed or requested a pause.
   */
  readonly slowed: { readonly since: number; readonly why: string } | null;
  readonly stopping: boolean;
}

export interface ScheduleState
  extends Pick<RunProgress, "inFlight" | "limit" | "pause" | "slowed" | "stopping"> {
  /** Number of rows that are retryable in the journal and that this run will retry. */
  readonly willRetry: number;
}

/** Minimum time between two reports that are not a transition, in milliseconds. */
const reportGapMs = 200;
/** Time span in which ended rows are counted together to compute the rate, in milliseconds. */
const bucketMs = 250;

interface EmitterOptions {
  readonly run: string;
  readonly rows: number;
  readonly onProgress: ((progress: RunProgress) => void) | undefined;
}

/** Creates an emitter of a run's progress: at most five times a second, except for transitions. */
export function createProgressEmitter(context: WriteContext, options: EmitterOptions) {
  const { journal, clock } = context;
  const { run, rows, onProgress } = options;
  const startedAt = clock.elapsed();
  let buckets: { readonly at: number; count: number }[] = [];
  let reportedAt = Number.NEGATIVE_INFINITY;
  let teamAway: Pause | null = null;
  let current: ScheduleState = {
    inFlight: 0,
    limit: 0,
    pause: null,
    slowed: null,
    stopping: false,
    willRetry: 0,
  };

  const perSecond = (now: number, measuredMs: number): number => {
    buckets = buckets.filter(({ at }) => at > now - rateWindowMs);
    const ended = buckets.reduce((sum, { count }) => sum + count, 0);
    return (ended * 1000) / Math.max(bucketMs, measuredMs);
  };

  const report = () => {
    if (onProgress === undefined) return;
    const now = clock.elapsed();
    reportedAt = now;
    try {
      const stored = journal.read((open) => countsOf(open, run, rows));
      const { inFlight, willRetry, ...others } = { ...current, pause: current.pause ?? teamAway };
      // Rows that this run will retry count as waiting.
      const retried = Math.min(willRetry, stored.retryable);
      const counts = {
        ...stored,
        retryable: stored.retryable - retried,
        waiting: stored.waiting + retried,
      };
      const measuredMs = Math.min(rateWindowMs, now - startedAt);
      const rate = perSecond(now, measuredMs);
      const rowsLeft = counts.waiting + counts.sending;
      const secondsLeft = rate > 0 ? rowsLeft / rate : null;
      const speed = { perSecond: rate, measuredMs, secondsLeft };
      onProgress({ run, rows, counts, inFlight, ...others, ...speed });
    } catch {
      // An error of the listener or the journal does not stop the run.
    }
  };

  return {
    rowEnded: () => {
      const at = clock.elapsed();
      const last = buckets.at(-1);
      if (last !== undefined && at - last.at < bucketMs) last.count += 1;
      else buckets.push({ at, count: 1 });
    },
    changed: (state: ScheduleState, isTransition: boolean) => {
      current = state;
      if (isTransition || clock.elapsed() - reportedAt >= reportGapMs) report();
    },
    /** Reports that the team's database does not answer, with the pause, or null if it does again. */
    teamAway: (pause: Pause | null) => {
      const isTransition = (pause === null) !== (teamAway === null);
      teamAway = pause;
      if (isTransition) report();
    },
    finish: () => {
      teamAway = null;
      current = { ...current, inFlight: 0, pause: null, willRetry: 0 };
      report();
    },
    /** Reports again if the last report is old, because the rate falls while no row ends. */
    heartbeat: () => {
      if (clock.elapsed() - reportedAt >= reportGapMs) report();
    },
  };
}

export type Pause = NonNullable<RunProgress["pause"]>;

export type ProgressEmitter = ReturnType<typeof createProgressEmitter>;

export function slowWords({ slowed }: RunProgress): string | null {
  if (slowed === null) return null;
  return `slowed at ${formatInstant(slowed.since).slice(11, 16)}: ${safe(slowed.why)}`;
}

/** Formats a rate without its unit: `3.4`, `1,200`. */
export function rateText({ perSecond }: RunProgress): string {
  return perSecond < 10 ? perSecond.toFixed(1) : count(Math.round(perSecond));
}

export function speedText(progress: RunProgress): string {
  if (progress.perSecond > 0) return `${rateText(progress)} rows a second`;
  return progress.measuredMs < rateWindowMs
    ? "Just started"
    : `No row finished in the last ${wholeSeconds(rateWindowMs)}`;
}

/** Formats a pause for the progress line of a command: with its reason (`long`) and without. */
export function pauseLine({ why, nextTryAt }: Pause, now: number) {
  const wait = nextTryAt - now;
  const next = wait > 0 ? `tries again in ${wholeSeconds(wait)}` : "tries again now";
  return {
    long: `paused: ${safe(why).replace(/[.\s]+$/, "")}; ${next}`,
    short: `paused; ${next}`,
  };
}

export function pauseSentence({ since, why, nextTryAt }: Pause, now: number): string {
  const wait = nextTryAt - now;
  const next = wait > 0 ? `Next try in ${wholeSeconds(wait)}` : "Trying now";
  return `${next}: ${why}. Paused for ${wholeSeconds(now - since)}.`;
}

export function timeLeftText({ secondsLeft }: RunProgress): string {
  return secondsLeft === null ? "" : `${wholeSeconds(secondsLeft * 1_000)} left`;
}
