import { formatInstant } from "../text/dates.ts";
import { safe } from "../text/sanitise.ts";
import type { RunCounts } from "./run-record.ts";

/** How a run goes, told at most a few times a second and at every turn of events. */
export interface RunProgress {
  readonly run: string;
  readonly rows: number;
  readonly counts: RunCounts;
  /** Requests under way, and how many may be. */
  readonly inFlight: number;
  readonly limit: number;
  /** Rows that came to their end a second, over the last few seconds. */
  readonly perSecond: number;
  /** At this rate; null while there is none. */
  readonly secondsLeft: number | null;
  /** Set while nothing new is sent because the service does not answer as it should. */
  readonly pause: {
    readonly since: number;
    readonly why: string;
    /** When it is tried again, epoch milliseconds. */
    readonly nextTryAt: number;
  } | null;
  /** Why and since when fewer requests are under way than before; null when the run has its full speed. */
  readonly slowed: { readonly since: number; readonly why: string } | null;
  /** Told to stop: what is in flight is waited for. */
  readonly stopping: boolean;
}

/** Why a run is over for now. */
export type RunEnd =
  /** Every row has come to an end. */
  | { readonly kind: "ended" }
  /** Told to stop; what was in flight has come to its end. */
  | { readonly kind: "stopped" }
  /** The service stayed down for longer than the run waits. */
  | { readonly kind: "service-down"; readonly why: string }
  /** The credentials were refused: every other row would be, too. */
  | { readonly kind: "credentials"; readonly error: unknown }
  /** The journal cannot be written: nothing more is sent. */
  | { readonly kind: "journal"; readonly error: unknown };

/** Why a run goes slower than it did, to stand beside its rate. */
export function slowedWords({ since, why }: NonNullable<RunProgress["slowed"]>): string {
  return `slowed at ${formatInstant(since).slice(11, 16)}: ${safe(why)}`;
}
