import { formatInstant } from "../text/dates.ts";
import { wholeSeconds } from "../text/durations.ts";
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
  /** The time left at the present rate, or null while there is none. */
  readonly secondsLeft: number | null;
  /**
   * The pause while nothing new is sent, because the service fails or requested a pause, or null.
   */
  readonly pause: {
    readonly since: number;
    readonly why: string;
    /** Epoch milliseconds of the next attempt to reach the service. */
    readonly nextTryAt: number;
    /** Retries now. Null during a retry, or if the service requested the pause. */
    readonly tryNow: (() => void) | null;
  } | null;
  /** The reason why the limit is halved and the time since then, or null if it is not. */
  readonly slowed: { readonly since: number; readonly why: string } | null;
  /** True while the run stops and waits for the requests in flight. */
  readonly stopping: boolean;
}

/** The reason why a run is over for now. */
export type RunEnd =
  /** Every row has ended. */
  | { readonly kind: "ended" }
  /** Stopped on request. The requests in flight have ended. */
  | { readonly kind: "stopped" }
  /** The service stayed down for longer than the run waits. */
  | { readonly kind: "service-down"; readonly why: string }
  /** The credentials were refused, and would be for every other row. */
  | { readonly kind: "credentials"; readonly error: unknown }
  /** The journal cannot be written: nothing more is sent. */
  | { readonly kind: "journal"; readonly error: unknown };

/** Returns the reason why the limit of a run is halved, to show beside its rate, or null if it is not. */
export function slowWords({ slowed }: RunProgress): string | null {
  if (slowed === null) return null;
  return `slowed at ${formatInstant(slowed.since).slice(11, 16)}: ${safe(slowed.why)}`;
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
