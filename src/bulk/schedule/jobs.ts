/** Defines the jobs of a run and the work that carries them out, and queues jobs by their key. */
import type { ServiceError } from "../../api/errors.ts";
import type { RunEnd } from "../run-record.ts";

interface Queued {
  /** Jobs with the same key run one after another. */
  readonly key: string;
  /** The earliest start of the job by the running time, or 0 for immediately. */
  notBefore: number;
}

export interface Job extends Queued {
  readonly line: number;
  /** Number of failed tries. A postponed try counts only if it was a trial of the service. */
  tries: number;
  /** Number of the job's rows that are retryable in the journal although the run retries them. */
  retryableRows: number;
}

export type JobEnd =
  /** The job has ended for this run. */
  | { readonly kind: "over" }
  /** The job must be retried before any other job of its key, at `notBefore` of the running time. */
  | { readonly kind: "again"; readonly notBefore: number }
  /** Every other job would end in the same way, so the run ends. This job is not changed. */
  | { readonly kind: "stop"; readonly end: RunEnd };

export interface AttemptObserver {
  /** Aborted if the run is canceled, or if the job waits and is postponed. */
  readonly signal: AbortSignal;
  sending(): void;
  /** Reports the end of an attempt. `error` is null if the service processed the request. */
  ended(error: ServiceError | null): void;
  /** Reports that the job waits before its next attempt. It may be postponed if `canPostpone`. */
  waiting(canPostpone: boolean): void;
  wasPostponed(): boolean;
}

export interface Work<J extends Job> {
  /** Returns the next pending jobs in the input's order, if any. Throws a journal error. */
  next(count: number): readonly J[];
  /** Carries out one try of a job. Rejects only with an unexpected error. */
  carryOut(job: J, observer: AttemptObserver): Promise<JobEnd>;
  /** Called if a job has used all its tries. The state of the job is not changed. */
  leave(job: J): void;
  /** Tests the service with a read for the same account. Rejects with a ServiceError. */
  probe(job: J, signal: AbortSignal): Promise<void>;
  /** True if a 500 is a failure of the service, and not of a payment vendor. */
  readonly failsWith500: boolean;
  /** Maximum number of rows that may fail while the run tests the service with single rows. */
  readonly maxFailedTrials: number;
}

/** Creates a queue whose jobs run in order and one at a time for each key, else in parallel. */
export function createKeyedQueue<J extends Queued>() {
  /** The waiting jobs of each key. A key without waiting jobs is listed while its job runs. */
  const lists = new Map<string, J[]>();
  /** Lists of free keys whose first job may run, in the order in which the keys became free. */
  const ready: J[][] = [];
  /** Lists of free keys whose first job is not due yet. */
  const late = new Set<J[]>();
  let size = 0;

  /** Frees a key, and lists its next job as ready or as not due yet. */
  const free = (key: string, list: J[]) => {
    const [next] = list;
    if (next === undefined) lists.delete(key);
    else if (next.notBefore > 0) late.add(list);
    else ready.push(list);
  };

  return {
    /** Adds a job after all others of its key. */
    add: (job: J) => {
      size += 1;
      const list = lists.get(job.key);
      if (list !== undefined) {
        list.push(job);
        return;
      }
      const created = [job];
      lists.set(job.key, created);
      free(job.key, created);
    },
    /** Returns the next due job of a free key, or null. The key is in use until it is released. */
    take: (now: number) => {
      for (const list of late) {
        if ((list[0]?.notBefore ?? 0) > now) continue;
        late.delete(list);
        ready.push(list);
      }
      const job = ready.shift()?.shift();
      if (job === undefined) return null;
      size -= 1;
      return job;
    },
    /** Puts a job back before all others of its key, and frees the key. */
    putBack: (job: J) => {
      const list = lists.get(job.key);
      if (list === undefined) return;
      size += 1;
      list.unshift(job);
      free(job.key, list);
    },
    release: (job: J) => {
      const list = lists.get(job.key);
      if (list !== undefined) free(job.key, list);
    },
    /** Returns a waiting job of a free key without taking it, or null if there is none. */
    peek: () => {
      const [list = late.values().next().value] = ready;
      return list?.[0] ?? null;
    },
    size: () => size,
    /** Returns the earliest start time of the jobs that are not due yet, or null if none. */
    nextDue: () => {
      let due: number | null = null;
      for (const list of late) {
        const at = list[0]?.notBefore ?? 0;
        if (due === null || at < due) due = at;
      }
      return due;
    },
  };
}
