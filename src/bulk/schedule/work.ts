/** Defines the jobs of a run and the interface through which schedule.ts runs them. */
import type { ServiceError } from "../../api/errors.ts";
import type { RunEnd } from "../run-record.ts";
import type { Queued } from "./keyed-queue.ts";

/** One request of a run, with its rows. */
export interface Job extends Queued {
  readonly line: number;
  /** Number of failed tries while the service was healthy. */
  tries: number;
  /** Number of the job's rows that are retryable in the journal although the run retries them. */
  retryableRows: number;
}

/** The end of one try of a job. */
export type JobEnd =
  /** The job has ended for this run. */
  | { readonly kind: "over" }
  /** The job must be retried before any other job of its key. */
  | { readonly kind: "again"; readonly notBefore: number }
  /** Every other job would end in the same way, so the run ends. This job is not changed. */
  | { readonly kind: "stop"; readonly end: RunEnd };

/** Receives the reports of a running job, and lets the run end the job. */
export interface AttemptObserver {
  /** Aborted if the run is canceled, or if the job waits and is postponed. */
  readonly signal: AbortSignal;
  /** Reports that a request is being sent. */
  sending(): void;
  /** Reports the end of an attempt. `error` is null if the service processed the request. */
  ended(error: ServiceError | null): void;
  /**
   * Reports that the job waits before its next attempt. `yields` is true if the job may be
   * postponed.
   */
  waiting(yields: boolean): void;
  /** Returns true if the job was postponed while it waited. */
  wasPostponed(): boolean;
}

/** The work of a run, whose jobs the schedule runs. */
export interface Work<J extends Job> {
  /**
   * Returns the next pending jobs in the order of the input, or an empty array at the end. Throws a
   * journal error.
   */
  next(count: number): readonly J[];
  carryOut(job: J, observer: AttemptObserver): Promise<JobEnd>;
  /** Called if a job has used all its tries. The job keeps its state. */
  leave(job: J): void;
  /** Tests the service with a read for the same account. Rejects with a ServiceError. */
  probe(job: J, signal: AbortSignal): Promise<void>;
  /** True if a 500 is a failure of the service, and not of a payment vendor. */
  readonly failsWith500: boolean;
  /** Maximum number of rows that may fail while the run tests the service with single rows. */
  readonly maxFailedTrials: number;
}
