import type { ServiceError } from "../../api/errors.ts";
import type { RunEnd } from "../progress.ts";
import type { Queued } from "./lanes.ts";

/** A request that is to be made; its rows come to their end with it. */
export interface Job extends Queued {
  readonly line: number;
  /** How often it was taken up in vain while the service was there. */
  tries: number;
  /** Its rows that the journal has as retryable, although the run takes them up again. */
  retryableRows: number;
}

/** How one taking up of a job ended. */
export type JobEnd =
  /** Nothing more is done about it in this run. */
  | { readonly kind: "over" }
  /** To be taken up again, before anything else of its lane. */
  | { readonly kind: "again"; readonly notBefore: number }
  /** Every other would end the same way; it is left as it is. */
  | { readonly kind: "stop"; readonly end: RunEnd };

/** What a job tells of itself while it is under way, and hears of the run. */
export interface Course {
  /** Aborted when the run is cancelled, or when the job waits and is to make room. */
  readonly signal: AbortSignal;
  /** The request is on its way. */
  sends(): void;
  /** An attempt has ended; with null the service did what it was asked. */
  heard(error: ServiceError | null): void;
  /** It waits before it goes on; `yields` says whether it may be put off instead. */
  waits(yields: boolean): void;
  /** Whether it was put off while it waited. */
  wasPutOff(): boolean;
}

/** What a run is made of: writes, or reads. */
export interface Work<J extends Job> {
  /** The next that are pending, in the order of the input; none at the end. Throws JournalError. */
  next(count: number): readonly J[];
  carryOut(job: J, course: Course): Promise<JobEnd>;
  /** It was taken up in vain too often and is left as it is. */
  leave(job: J): void;
  /** Asks the service for something harmless of the same account. Rejects with ServiceError. */
  look(job: J, signal: AbortSignal): Promise<void>;
  /** Whether a 500 is the service's own failure, and not a vendor's behind it. */
  readonly failsWith500: boolean;
  /** How many rows may end without an outcome by trying whether the service is back. */
  readonly mostInVain: number;
}
