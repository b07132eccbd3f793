/** Defines the progress and the end of a run, and formats its rate. */
import { formatInstant } from "../text/dates.ts";
import { wholeSeconds } from "../text/durations.ts";
import { count } from "../text/numbers.ts";
import { safe } from "../text/sanitise.ts";
import type { RunCounts } from "./run-record.ts";

/** The time span over which the rate of a run is computed, in milliseconds. */
export const rateMs = 5_000;

/** The progress of a run, reported a few times a second and on every transition. */
export interface RunProgress {
  readonly run: string;
  readonly rows: number;
  readonly counts: RunCounts;
  /** Number of requests in flight. */
  readonly inFlight: number;
  /** Maximum number of requests in flight. */
  readonly limit: number;
  /** Number of rows that ended per second, over the last {@link rateMs}. */
  readonly perSecond: number;
  /** The remaining time in seconds at the current rate, or null if the rate is 0. */
  readonly secondsLeft: number | null;
  /**
   * The current pause, or null if there is none. Nothing new is sent during a pause, because the
   * service fails or requested the pause.
   */
  readonly pause: {
    readonly since: number;
    readonly why: string;
    /** Time of the next attempt to reach the service, in epoch milliseconds. */
    readonly nextTryAt: number;
    /** Retries immediately. Null during a retry, or if the service requested the pause. */
    readonly tryNow: (() => void) | null;
  } | null;
  /**
   * The reason and the start of the time with half the limit, or null if the limit is not reduced.
   */
  readonly slowed: { readonly since: number; readonly why: string } | null;
  /** True while the run is stopping and waits for the requests in flight. */
  readonly stopping: boolean;
}

/** The reason why a run ended or stopped. */
export type RunEnd =
  /** Every row has ended. */
  | { readonly kind: "ended" }
  /** The run was stopped on request, and the requests in flight have ended. */
  | { readonly kind: "stopped" }
  /** The service was down for longer than the run waits. */
  | { readonly kind: "service-down"; readonly why: string }
  /** The service refused the credentials, which would fail every other row too. */
  | { readonly kind: "credentials"; readonly error: unknown }
  /** The journal cannot be written, so nothing more is sent. */
  | { readonly kind: "journal"; readonly error: unknown };

/** Returns the reason why the limit is halved, or null if it is not. */
export function slowWords({ slowed }: RunProgress): string | null {
  if (slowed === null) return null;
  return `slowed at ${formatInstant(slowed.since).slice(11, 16)}: ${safe(slowed.why)}`;
}

/** Formats a rate without its unit: `3.4`, `1,200`. */
export function rateText({ perSecond }: RunProgress): string {
  return perSecond < 10 ? perSecond.toFixed(1) : count(Math.round(perSecond));
}

/** Formats the rate with its unit. */
export function speedText(progress: RunProgress): string {
  return progress.perSecond === 0
    ? `No row finished in the last ${wholeSeconds(rateMs)}`
    : `${rateText(progress)} rows a second`;
}

/** Formats the remaining time. Empty if it is unknown. */
export function timeLeftText({ secondsLeft }: RunProgress): string {
  return secondsLeft === null ? "" : `${wholeSeconds(secondsLeft * 1_000)} left`;
}
