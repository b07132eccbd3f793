import { formatInstant } from "../text/dates.ts";
import { formatDuration, wholeSeconds } from "../text/durations.ts";
import { count } from "../text/numbers.ts";
import { safe } from "../text/sanitise.ts";
import type { RunCounts } from "./run-record.ts";

/** The rate of a run covers this long. */
export const rateMs = 5_000;

/** The progress of a run, reported a few times a second and on every transition. */
export interface RunProgress {
  readonly run: string;
  readonly rows: number;
  readonly counts: RunCounts;
  /** Requests in flight, and their limit. */
  readonly inFlight: number;
  readonly limit: number;
  /** Rows that ended per second, over the last few seconds. */
  readonly perSecond: number;
  /** At this rate; null while there is none. */
  readonly secondsLeft: number | null;
  /** Set while nothing new is sent because the service fails or asked for a pause. */
  readonly pause: {
    readonly since: number;
    readonly why: string;
    /** When the service is tried again, epoch milliseconds. */
    readonly nextTryAt: number;
    /** Tries it now; null while it is being tried, or where the service asked for the pause. */
    readonly tryNow: (() => void) | null;
  } | null;
  /** Why and since when the limit is halved; null when it is not. */
  readonly slowed: { readonly since: number; readonly why: string } | null;
  /** What takes the time of a row; null while no request has ended. */
  readonly pace: Pace | null;
  /** The run stops: it waits for what is in flight. */
  readonly stopping: boolean;
}

/** What takes the time of a row: averages over the last requests, in milliseconds. */
export interface Pace {
  /** From the request to its answer. */
  readonly serviceMs: number;
  /** On this machine, before and after: the journal waits for the disk. */
  readonly localMs: number;
  /** More could be in flight, but each row left waits for an earlier one of its account. */
  readonly oneByOne: boolean;
}

/** Why a run is over for now. */
export type RunEnd =
  /** Every row has ended. */
  | { readonly kind: "ended" }
  /** Stopped on request; what was in flight has ended. */
  | { readonly kind: "stopped" }
  /** The service stayed down for longer than the run waits. */
  | { readonly kind: "service-down"; readonly why: string }
  /** The credentials were refused, and would be for every other row. */
  | { readonly kind: "credentials"; readonly error: unknown }
  /** The journal cannot be written: nothing more is sent. */
  | { readonly kind: "journal"; readonly error: unknown };

/** Times above these make a run slow, in milliseconds. */
const slowService = 250;
const slowDisk = 100;

/**
 * Why a run is slow, to show beside its rate: what the service asked for, what takes the time of a
 * row, or the order of the rows of one account. Null while it is not slow.
 */
export function slowWords({ slowed, pace, limit }: RunProgress): string | null {
  if (slowed !== null) return slowedWords(slowed);
  if (pace === null) return null;
  const { serviceMs, localMs, oneByOne } = pace;
  if (localMs >= slowDisk && localMs > serviceMs)
    return `the journal's disk takes ${formatDuration(localMs)} a row`;
  if (serviceMs < slowService) return null;
  const answers = `the service takes ${formatDuration(serviceMs)} a request`;
  return oneByOne
    ? `${answers}, and rows of one account go one by one`
    : `${answers}, ${count(limit)} at once`;
}

/** Why the limit of a run is halved. */
function slowedWords({ since, why }: NonNullable<RunProgress["slowed"]>): string {
  return `slowed at ${formatInstant(since).slice(11, 16)}: ${safe(why)}`;
}

/** Formats a rate without its unit: `3.4`, `1,200`. */
export function rateText({ perSecond }: RunProgress): string {
  return perSecond < 10 ? perSecond.toFixed(1) : count(Math.round(perSecond));
}

/** Formats the rate as a clause that stands alone. */
export function speedText(progress: RunProgress): string {
  return progress.perSecond === 0
    ? `No row finished in the last ${wholeSeconds(rateMs)}`
    : `${rateText(progress)} rows a second`;
}

/** Formats the time that is left; empty if it is not known. */
export function timeLeftText({ secondsLeft }: RunProgress): string {
  return secondsLeft === null ? "" : `${wholeSeconds(secondsLeft * 1_000)} left`;
}
