import type { Clock } from "../api/clock.ts";
import { isSingle, keyOf, type StoredWatch, type WatchRecord } from "./subject.ts";
import type { Transition } from "./transitions.ts";

/** More single accounts and supply points than this are refused: the interval would be too long. */
export const maxWatched = 500;

/** Transitions that are stored of each timeline. */
const storedTransitions = 20;

/**
 * Reads and writes the record of a watch list. Every change is applied to the current record,
 * because other programs can change it. A change that could not be written is retried with the next
 * one.
 */
export function createRecording(record: WatchRecord) {
  let problem: unknown = null;
  const unadded = new Map<string, StoredWatch>();
  const unremoved = new Set<string>();
  /** The last transition of each in the record, when that was last read or written. */
  const known = new Map<string, Transition | undefined>();

  const attempt = <T>(act: () => T): T | null => {
    try {
      const done = act();
      problem = null;
      return done;
    } catch (error) {
      problem = error;
      return null;
    }
  };
  const learn = (kept: readonly StoredWatch[]) => {
    known.clear();
    for (const one of kept) known.set(keyOf(one), one.timeline.at(-1));
  };
  /**
   * Returns the entry with the observations made here. If another program has recorded an
   * observation since the record was last read, the later one stays. Otherwise the order is known
   * without a clock, which might have been set back.
   */
  const withNews = (one: StoredWatch, seen: readonly Transition[]): StoredWatch => {
    const [theirs, ours] = [one.timeline.at(-1), seen.at(-1)];
    if (!ours || theirs?.state === ours.state) return one;
    const untouched = known.has(keyOf(one)) && isAlike(known.get(keyOf(one)), theirs);
    if (!untouched && theirs && theirs.firstSeenAt > ours.firstSeenAt) return one;
    return { ...one, timeline: seen.slice(-storedTransitions) };
  };
  const change = (timelines: ReadonlyMap<string, readonly Transition[]> = new Map()) => {
    const done = attempt(() =>
      record.change((kept) => {
        const left = kept.filter((one) => !unremoved.has(keyOf(one)));
        const there = new Set(left.map(keyOf));
        const fresh = [...unadded.values()].filter((one) => !there.has(keyOf(one)));
        const room = Math.max(0, maxWatched - left.filter(isSingle).length);
        const single = new Set(fresh.filter(isSingle).slice(0, room));
        const all = [...left, ...fresh.filter((one) => !isSingle(one) || single.has(one))];
        const next = all.map((one) => withNews(one, timelines.get(keyOf(one)) ?? []));
        const changed = next.length !== kept.length || next.some((one, at) => one !== kept[at]);
        return changed ? next : kept;
      }),
    );
    if (done === null) return null;
    unadded.clear();
    unremoved.clear();
    learn(done);
    return done;
  };

  return {
    /** Returns the last error of reading or writing the record, or null after a success. */
    problem: () => problem,
    /** Returns the stored subjects, or null (with a problem) if the record cannot be read. */
    read: () => {
      const kept = attempt(() => record.read());
      if (kept !== null) learn(kept);
      return kept?.filter((one) => !unremoved.has(keyOf(one))) ?? null;
    },
    add(fresh: readonly StoredWatch[]) {
      for (const one of fresh) {
        unadded.set(keyOf(one), { ...one, timeline: one.timeline.slice(-storedTransitions) });
        unremoved.delete(keyOf(one));
      }
      return change();
    },
    remove(keys: ReadonlySet<string>) {
      for (const key of keys) {
        unremoved.add(key);
        unadded.delete(key);
      }
      return change();
    },
    /** Stores the observations of some subjects. */
    seen: change,
  };
}

/** Milliseconds after which observations are stored. Subjects are stored at once. */
const storedAfterMs = 1_000;

/** Calls `save` a little after the first key, with all of them. */
export function savedSoon(
  clock: Clock,
  signal: AbortSignal,
  save: (keys: ReadonlySet<string>) => void,
) {
  const waiting = new Set<string>();
  const flush = () => {
    if (waiting.size === 0) return;
    const keys = new Set(waiting);
    waiting.clear();
    save(keys);
  };
  return {
    /** Stores the pending observations. Call it before the record is read. */
    flush,
    delete: (key: string) => void waiting.delete(key),
    add(key: string) {
      waiting.add(key);
      if (waiting.size === 1) clock.sleep(storedAfterMs, signal).then(flush, () => {});
    },
  };
}

/** Returns true if both transitions have the same state and the same start. */
function isAlike(one: Transition | undefined, other: Transition | undefined): boolean {
  return one?.state === other?.state && one?.firstSeenAt === other?.firstSeenAt;
}
