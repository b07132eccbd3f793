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

interface List<T> {
  items: T[];
  /** Index of the first item that is not taken yet. */
  from: number;
}

/** Number of taken items after which they are removed from the front of a list. */
const maxTaken = 1024;

export function createKeyedQueue<J extends Queued>() {
  const lists = new Map<string, List<J>>();
  /** Lists of free keys whose first job may run, in the order in which the keys became free. */
  const ready: List<List<J>> = { items: [], from: 0 };
  /** Lists of free keys whose first job is not due yet. */
  const late = new Set<List<J>>();
  let size = 0;

  const head = <T>({ items, from }: List<T>): T | undefined => items[from];
  const shift = <T>(list: List<T>): T | undefined => {
    const first = head(list);
    if (first !== undefined) list.from += 1;
    if (list.from < maxTaken) return first;
    list.items = list.items.slice(list.from);
    list.from = 0;
    return first;
  };
  const free = (key: string, list: List<J>) => {
    const next = head(list);
    if (next === undefined) lists.delete(key);
    else if (next.notBefore > 0) late.add(list);
    else ready.items.push(list);
  };

  return {
    /** Adds a job after all others of its key. */
    add: (job: J) => {
      size += 1;
      const list = lists.get(job.key);
      if (list !== undefined) {
        list.items.push(job);
        return;
      }
      const made: List<J> = { items: [job], from: 0 };
      lists.set(job.key, made);
      free(job.key, made);
    },
    /**
     * Returns the next due job of a free key, or null if there is none. The key is in use until
     * `release` or `putBack`.
     */
    take: (now: number) => {
      for (const list of late) {
        if ((head(list)?.notBefore ?? 0) > now) continue;
        late.delete(list);
        ready.items.push(list);
      }
      const list = shift(ready);
      const job = list === undefined ? undefined : shift(list);
      if (job === undefined) return null;
      size -= 1;
      return job;
    },
    /** Puts a job back before all others of its key, and frees the key. */
    putBack: (job: J) => {
      const list = lists.get(job.key);
      if (list === undefined) return;
      size += 1;
      list.items.splice(list.from, 0, job);
      free(job.key, list);
    },
    /** Frees the key of a job that has ended. */
    release: (job: J) => {
      const list = lists.get(job.key);
      if (list !== undefined) free(job.key, list);
    },
    /** Returns a waiting job of a free key without taking it, or null if there is none. */
    peek: () => {
      const list = head(ready) ?? late.values().next().value;
      return list === undefined ? null : (head(list) ?? null);
    },
    /** Returns the number of waiting jobs. */
    size: () => size,
    /**
     * Returns the earliest start time of the jobs that are not due yet, or null if there are none.
     */
    nextDue: () => {
      let due: number | null = null;
      for (const list of late) {
        const at = head(list)?.notBefore ?? 0;
        if (due === null || at < due) due = at;
      }
      return due;
    },
  };
}
