/** The watch list: subjects that are checked in the background and stored on the disk. */
import { createFollower, type FollowerOptions } from "./follower.ts";
import { isCredentialError } from "./poll.ts";
import { maxWatched, type WatchRecord } from "./record.ts";
import { isSingle, keyOf, type StoredWatch, type WatchSubject } from "./timeline.ts";
import type { Watched } from "./watched.ts";

type WatchPause =
  | { readonly kind: "none" }
  | { readonly kind: "requested" }
  /** The service refused the credentials: further checks would not help. */
  | { readonly kind: "refused"; readonly error: unknown };

export interface WatchSnapshot {
  readonly entries: readonly Watched[];
  readonly open: number;
  readonly pause: WatchPause;
  readonly intervalMs: number;
  /** Milliseconds between two checks of a subject, longer than `intervalMs` for many subjects. */
  readonly everyMs: number;
  /** Suppliers whose open accounts are checked with a list, and not one by one. */
  readonly byLists: readonly string[];
  /** True if the stored list has been read. Before that, the list might be incomplete. */
  readonly isKnown: boolean;
  readonly saveProblem: unknown;
}

export interface Added {
  readonly added: number;
  /** Number of subjects that were already on the list. */
  readonly known: number;
  /** Number of accounts and supply points without room. If it is not 0, no subject was added. */
  readonly beyond: number;
}

type FinalListener = (watched: Watched, failed: string | null) => void;

export interface WatchListOptions extends FollowerOptions {
  readonly record: WatchRecord;
}

/** Milliseconds until observations are stored. Added and removed subjects are stored at once. */
const storedAfterMs = 1_000;

export function createWatchList(options: WatchListOptions) {
  const { clock, intervalMs, record, wrongByMs = () => 0 } = options;
  const life = new AbortController();
  const added = new Map<string, StoredWatch>();
  const removed = new Map<string, WatchSubject>();
  const observedKeys = new Set<string>();
  let isSaving = false;
  let saveProblem: unknown = null;
  const listeners = new Set<() => void>();
  const finalListeners = new Set<FinalListener>();
  let pause: WatchPause = { kind: "none" };
  let cached: WatchSnapshot | null = null;
  let isKnown = false;

  const notify = () => {
    cached = null;
    for (const listener of [...listeners]) listener();
  };
  const follower = createFollower(options, (watched, before, end) => {
    const error = end.kind === "failed" ? end.error : null;
    if (watched.timeline !== before.timeline) saveSoon(watched.key);
    if (isCredentialError(error) && pause.kind === "none") stopAll({ kind: "refused", error });
    else notify();
    const failed = end.kind === "answer" ? (end.value.failed ?? null) : null;
    const hasEnded = before.finality === "open" && watched.finality !== "open";
    if (hasEnded || failed !== null)
      for (const listener of [...finalListeners]) listener(watched, failed);
  });
  const stopAll = (reason: WatchPause) => {
    pause = reason;
    follower.pause(true);
    notify();
  };
  /** Replaces the entries by those of the record. Entries that could not be recorded stay. */
  const adopt = (list: readonly StoredWatch[]) => {
    isKnown = true;
    const storedKeys = new Set(list.map(keyOf));
    for (const watch of list)
      if (!removed.has(keyOf(watch)) && !follower.get(keyOf(watch))) follower.follow(watch);
    for (const { key } of follower.all())
      if (!storedKeys.has(key) && !added.has(key)) follower.drop(key);
    follower.begin();
  };
  const isUnsaved = () => added.size + removed.size + observedKeys.size > 0;
  /** Writes unsaved changes to the record, and reads it. A failed one is retried with the next. */
  const sync = () => {
    const observed = [...observedKeys].flatMap((key) => follower.get(key)?.watched ?? []);
    let list: readonly StoredWatch[];
    try {
      list = isUnsaved()
        ? record.change({ removed: removed.values(), added: added.values(), seen: observed })
        : record.read();
    } catch (error) {
      saveProblem = error;
      return;
    }
    saveProblem = null;
    for (const changes of [added, removed, observedKeys]) changes.clear();
    adopt(list);
  };
  const saveSoon = (key: string) => {
    observedKeys.add(key);
    if (isSaving) return;
    isSaving = true;
    const save = () => {
      isSaving = false;
      const before = saveProblem;
      if (isUnsaved()) sync();
      if (saveProblem !== before) notify();
    };
    clock.sleep(storedAfterMs, life.signal).then(save, () => {});
  };

  sync();

  return {
    /** Returns the same object until something visible changes. */
    snapshot(): WatchSnapshot {
      if (cached) return cached;
      const entries = follower.all();
      cached = {
        entries,
        open: entries.filter(({ finality }) => finality === "open").length,
        pause,
        intervalMs,
        everyMs: follower.everyMs(),
        byLists: follower.byLists(),
        isKnown,
        saveProblem,
      };
      return cached;
    },
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    /** Calls the listener when a subject reaches a final state or an account of a cohort fails. */
    onFinal(listener: FinalListener) {
      finalListeners.add(listener);
      return () => void finalListeners.delete(listener);
    },
    progress: (key: string) => follower.get(key)?.progress ?? null,
    has: (subject: WatchSubject) => follower.get(keyOf(subject)) !== null,
    add(subjects: readonly WatchSubject[]): Added {
      const requested = new Map(subjects.map((subject) => [keyOf(subject), subject]));
      const newWatches = [...requested]
        .filter(([key]) => !follower.get(key))
        .map(([, { kind, supplier, number }]): StoredWatch => {
          const timeline = options.checkHistory?.of({ kind, supplier, number }) ?? [];
          return { kind, supplier, number, addedAt: clock.now() - wrongByMs(), timeline };
        });
      const known = requested.size - newWatches.length;
      const single = [...follower.all(), ...newWatches].filter(isSingle).length;
      const beyond = single - maxWatched;
      // Adding only some of the subjects would look as if all were added.
      if (beyond > 0) return { added: 0, known, beyond };
      for (const watch of newWatches) {
        follower.follow(watch);
        added.set(keyOf(watch), watch);
        removed.delete(keyOf(watch));
      }
      sync();
      // A subject that ended earlier is checked once, because it might have changed since.
      for (const key of newWatches.map(keyOf)) {
        const isOpen = follower.get(key)?.watched.finality === "open";
        if (!isOpen && pause.kind === "none") follower.checkOnce(key);
      }
      follower.begin();
      notify();
      return { added: newWatches.length, known, beyond: 0 };
    },
    remove(subjects: readonly WatchSubject[]) {
      const keys = new Set(subjects.map(keyOf));
      const dropped = [...keys].flatMap((key) => follower.get(key)?.watched ?? []);
      if (dropped.length === 0) return 0;
      for (const watch of dropped) {
        follower.drop(watch.key);
        removed.set(watch.key, watch);
        added.delete(watch.key);
      }
      sync();
      notify();
      return dropped.length;
    },
    togglePause() {
      if (pause.kind === "none") {
        stopAll({ kind: "requested" });
        return;
      }
      pause = { kind: "none" };
      follower.pause(false);
      notify();
    },
    refresh: (also: readonly WatchSubject[] = []) => follower.refresh(also),
    /** Checks a subject for a screen, whether or not it is on the list. */
    show: follower.show,
    sync() {
      sync();
      notify();
    },
    close() {
      life.abort();
      follower.close();
      if (isUnsaved()) sync();
      listeners.clear();
      finalListeners.clear();
    },
  };
}

export type WatchList = ReturnType<typeof createWatchList>;
