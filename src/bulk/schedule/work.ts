import type { ServiceError } from "../../api/errors.ts";
import type { RunEnd } from "../progress.ts";
import type { Queued } from "./keyed-queue.ts";

/** One request of a run, with its rows. */
export interface Job extends Queued {
  readonly line: number;
  /** Number of failed tries while the service was healthy. */
  tries: number;
  /** Number of its rows that are retryable in the journal although the run retries them. */
  retryableRows: number;
}

/** The end of one try of a job. */
export type JobEnd =
  /** The run does nothing more about the job. */
  | { readonly kind: "over" }
  /** The job is to be retried, before anything else of its key. */
  | { readonly kind: "again"; readonly notBefore: number }
  /** Every other job would end the same way. This one stays as it is. */
  | { readonly kind: "stop"; readonly end: RunEnd };

/** The reports of a running job, and the means of the run to end it. */
export interface AttemptObserver {
  /** Aborted if the run is canceled, or if the job waits and must make room. */
  readonly signal: AbortSignal;
  /** A request is being sent. */
  sending(): void;
  /** An attempt has ended. With null, the service carried out the request. */
  ended(error: ServiceError | null): void;
  /** The job waits before its next attempt. `yields` is true if it may be postponed instead. */
  waiting(yields: boolean): void;
  /** Returns true if it was postponed while it waited. */
  wasPutOff(): boolean;
}

/** The work of a run: writes, or reads. */
export interface Work<J extends Job> {
  /**
   * Returns the next pending jobs in the order of the input, and none at the end. Throws a journal
   * error.
   */
  next(count: number): readonly J[];
  carryOut(job: J, observer: AttemptObserver): Promise<JobEnd>;
  /** Called if a job was tried too often and stays as it is. */
  leave(job: J): void;
  /** Reads harmless data of the same account. Rejects with ServiceError. */
  probe(job: J, signal: AbortSignal): Promise<void>;
  /** True if a 500 is the service's failure, and not that of a vendor behind it. */
  readonly failsWith500: boolean;
  /** Maximum number of rows that may end without an outcome while the run tests the service. */
  readonly mostFailedTrials: number;
}
