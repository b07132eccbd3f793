import type { Clock } from "../api/clock.ts";
import type { WatchRecord } from "./record.ts";
import { keyOf, type StoredWatch, type WatchSubject } from "./subject.ts";

/**
 * Reads and writes the record of a watch list. A change that could not be written is retried with the
 * next one.
 */
export function createRecording(record: WatchRecord) {
  let problem: unknown = null;
  const added = new Map<string, StoredWatch>();
  const removed = new Map<string, WatchSubject>();

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
  const change = (seen: readonly StoredWatch[] = []) => {
    const [news, gone] = [added.values(), removed.values()];
    const list = attempt(() => record.change({ removed: gone, added: news, seen }));
    if (list === null) return null;
    added.clear();
    removed.clear();
    return list;
  };

  return {
    /** Returns the last error of reading or writing the record, or null after a success. */
    problem: () => problem,
    /** Returns the stored subjects, or null (with a problem) if the record cannot be read. */
    read: () => attempt(() => record.read())?.filter((one) => !removed.has(keyOf(one))) ?? null,
    add(fresh: readonly StoredWatch[]) {
      for (const one of fresh) {
        added.set(keyOf(one), one);
        removed.delete(keyOf(one));
      }
      return change();
    },
    remove(subjects: readonly WatchSubject[]) {
      for (const one of subjects) {
        removed.set(keyOf(one), one);
        added.delete(keyOf(one));
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
