/** Rows that wait for their turn: those of one account one after another, the accounts side by side. */

export interface Queued {
  /** What must go one after another shares a lane. */
  readonly lane: string;
  /** Epoch milliseconds, 0 for at once; not taken before. */
  notBefore: number;
}

export interface Lanes<J extends Queued> {
  /** Behind all others of its lane. */
  add(job: J): void;
  /** The next whose lane is free; its lane is taken until `release` or `putBack`. */
  take(now: number): J | null;
  /** Before all others of its lane, which is free again. */
  putBack(job: J): void;
  /** The lane of a row that has come to its end is free again. */
  release(job: J): void;
  /** One that waits and whose lane is free. */
  peek(): J | null;
  /** How many wait. */
  size(): number;
  /** When the next that is not due yet will be; null when there is none. */
  nextDue(): number | null;
}

interface Lane<J> {
  /** Those before `from` are taken already. */
  jobs: J[];
  from: number;
}

/** Taken ones are dropped from the front of a list when there are so many. */
const mostTaken = 1024;

export function createLanes<J extends Queued>(): Lanes<J> {
  const lanes = new Map<string, Lane<J>>();
  /** Free lanes whose first may go, in the order in which they came free. */
  const ready: Lane<Lane<J>> = { jobs: [], from: 0 };
  /** Free lanes whose first is to wait. */
  const late = new Set<Lane<J>>();
  let size = 0;

  const head = <T>({ jobs, from }: Lane<T>): T | undefined => jobs[from];
  const shift = <T>(lane: Lane<T>): T | undefined => {
    const first = head(lane);
    if (first !== undefined) lane.from += 1;
    if (lane.from < mostTaken) return first;
    lane.jobs = lane.jobs.slice(lane.from);
    lane.from = 0;
    return first;
  };
  const free = (name: string, lane: Lane<J>) => {
    const next = head(lane);
    if (next === undefined) lanes.delete(name);
    else if (next.notBefore > 0) late.add(lane);
    else ready.jobs.push(lane);
  };

  return {
    add: (job) => {
      size += 1;
      const lane = lanes.get(job.lane);
      if (lane !== undefined) {
        lane.jobs.push(job);
        return;
      }
      const made: Lane<J> = { jobs: [job], from: 0 };
      lanes.set(job.lane, made);
      free(job.lane, made);
    },
    take: (now) => {
      for (const lane of late) {
        if ((head(lane)?.notBefore ?? 0) > now) continue;
        late.delete(lane);
        ready.jobs.push(lane);
      }
      const lane = shift(ready);
      const job = lane === undefined ? undefined : shift(lane);
      if (job === undefined) return null;
      size -= 1;
      return job;
    },
    putBack: (job) => {
      const lane = lanes.get(job.lane);
      if (lane === undefined) return;
      size += 1;
      lane.jobs.splice(lane.from, 0, job);
      free(job.lane, lane);
    },
    release: (job) => {
      const lane = lanes.get(job.lane);
      if (lane !== undefined) free(job.lane, lane);
    },
    peek: () => {
      const lane = head(ready) ?? late.values().next().value;
      return lane === undefined ? null : (head(lane) ?? null);
    },
    size: () => size,
    nextDue: () => {
      let due: number | null = null;
      for (const lane of late) {
        const at = head(lane)?.notBefore ?? 0;
        if (due === null || at < due) due = at;
      }
      return due;
    },
  };
}
