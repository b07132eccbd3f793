/**
 * Queues jobs by key: jobs of one key run in order and one at a time, different keys run in
 * parallel.
 */

export interface Queued {
  /** Jobs with the same key run one after another. */
  readonly key: string;
  /** The earliest start time of the job in epoch milliseconds, or 0 for immediately. */
  notBefore: number;
}

export function createKeyedQueue<J extends Queued>() {
  /** The waiting jobs of each key. A key without waiting jobs is listed while its job runs. */
  const lists = new Map<string, J[]>();
  /** Lists of free keys whose first job may run, in the order in which the keys became free. */
  const ready: J[][] = [];
  /** Lists of free keys whose first job is not due yet. */
  const late = new Set<J[]>();
  let size = 0;

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
      const made = [job];
      lists.set(job.key, made);
      free(job.key, made);
    },
    /**
     * Returns the next due job of a free key, or null if there is none. The key is in use until
     * `release` or `putBack`.
     */
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
    /** Frees the key of a job that has ended. */
    release: (job: J) => {
      const list = lists.get(job.key);
      if (list !== undefined) free(job.key, list);
    },
    /** Returns a waiting job of a free key without taking it, or null if there is none. */
    peek: () => {
      const [list = late.values().next().value] = ready;
      return list?.[0] ?? null;
    },
    /** Returns the number of waiting jobs. */
    size: () => size,
    /**
     * Returns the earliest start time of the jobs that are not due yet, or null if there are none.
     */
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
