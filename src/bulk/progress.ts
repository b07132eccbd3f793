import { formatInstant } from "../text/dates.ts";
import { safe } from "../text/sanitise.ts";
import type { RunCounts } from "./run-record.ts";

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
  } | null;
  /** Why and since when the limit is halved; null when it is not. */
  readonly slowed: { readonly since: number; readonly why: string } | null;
  /** The run stops: it waits for what is in flight. */
  readonly stopping: boolean;
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

/** Why a run is slower, to show beside its rate. */
export function slowedWords({ since, why }: NonNullable<RunProgress["slowed"]>): string {
  return `slowed at ${formatInstant(since).slice(11, 16)}: ${safe(why)}`;
}
