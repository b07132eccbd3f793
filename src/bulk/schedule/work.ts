import type { ServiceError } from "../../api/errors.ts";
import type { RunEnd } from "../progress.ts";
import type { Queued } from "./keyed-queue.ts";

/** One request of a run; its rows end with it. */
export interface Job extends Queued {
  readonly line: number;
  /** How often it was tried in vain while the service was healthy. */
  tries: number;
  /** Its rows that are retryable in the journal, although the run tries them again. */
  retryableRows: number;
}

/** How one try of a job ended. */
export type JobEnd =
  /** The run does nothing more about it. */
  | { readonly kind: "over" }
  /** To be tried again, before anything else of its key. */
  | { readonly kind: "again"; readonly notBefore: number }
  /** Every other job would end the same way; this one is left as it is. */
  | { readonly kind: "stop"; readonly end: RunEnd };

/** What a job reports while it runs, and how the run ends it. */
export interface AttemptObserver {
  /** Aborted when the run is canceled, or when the job waits and must make room. */
  readonly signal: AbortSignal;
  /** A request is being sent. */
  sending(): void;
  /** An attempt has ended; with null the service did what it was asked. */
  ended(error: ServiceError | null): void;
  /** The job waits before its next attempt; `yields` says whether it may be put off instead. */
  waiting(yields: boolean): void;
  /** Whether it was put off while it waited. */
  wasPutOff(): boolean;
}

/** What a run consists of: writes, or reads. */
export interface Work<J extends Job> {
  /** The next pending jobs, in the order of the input; none at the end. Throws a journal error. */
  next(count: number): readonly J[];
  carryOut(job: J, observer: AttemptObserver): Promise<JobEnd>;
  /** Called when a job was tried too often and is left as it is. */
  leave(job: J): void;
  /** Reads something harmless of the same account. Rejects with ServiceError. */
  probe(job: J, signal: AbortSignal): Promise<void>;
  /** Whether a 500 is the service's own failure, and not a vendor's behind it. */
  readonly failsWith500: boolean;
  /** How many rows may end without an outcome while the run tries whether the service is back. */
  readonly mostFailedTrials: number;
}
