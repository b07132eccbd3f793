import { createFollower } from "./follower.ts";
import { isRefusal } from "./poll.ts";
import { maxWatched } from "./record.ts";
import { createRecording, savedSoon } from "./recording.ts";
import { isSingle, keyOf, type StoredWatch } from "./subject.ts";
import type {
  FinalListener,
  WatchList,
  WatchListOptions,
  WatchPause,
  WatchSnapshot,
} from "./watch-list-types.ts";

export type {
  Added,
  WatchList,
  WatchListOptions,
  WatchSnapshot,
} from "./watch-list-types.ts";

/** Opens a watch list from its record, and starts to check. */
export function createWatchList(options: WatchListOptions): WatchList {
  const { clock, askedMs, wrongByMs = () => 0 } = options;
  const recording = createRecording(options.record);
  const life = new AbortController();
  /** The keys of the subjects that the record has, as far as is known. */
  const recorded = new Set<string>();
  const listeners = new Set<() => void>();
  const finalListeners = new Set<FinalListener>();
  let pause: WatchPause = { kind: "none" };
  let shown: WatchSnapshot | null = null;
  let isKnown = false;

  const notify = () => {
    shown = null;
    for (const listener of [...listeners]) listener();
  };
  const follower = createFollower(options, (watched, before, end) => {
    const error = end.kind === "failed" ? end.error : null;
    if (watched.timeline !== before.timeline) unsaved.add(watched.key);
    if (isRefusal(error) && pause.kind === "none") stopAll({ kind: "refused", error });
    else notify();
    const failed = end.kind === "answer" ? (end.value.failed ?? null) : null;
    const hasEnded = before.finality === "open" && watched.finality !== "open";
    if (hasEnded || failed !== null)
      for (const listener of [...finalListeners]) listener(watched, failed);
  });
  const stopAll = (why: WatchPause) => {
    pause = why;
    follower.pause(true);
    notify();
  };
  const drop = (key: string) => {
    follower.drop(key);
    recorded.delete(key);
    unsaved.delete(key);
  };

  /** Replaces the entries by those of the record. Entries that could not be recorded stay. */
  const adopt = (kept: readonly StoredWatch[] | null) => {
    if (kept === null) return;
    isKnown = true;
    const there = new Set(kept.map(keyOf));
    for (const one of kept) {
      if (!follower.get(keyOf(one))) follower.follow(one);
      recorded.add(keyOf(one));
    }
    for (const key of [...recorded]) if (!there.has(key)) drop(key);
    follower.begin();
  };

  const unsaved = savedSoon(clock, life.signal, (keys) => {
    const seen = [...keys].flatMap((key) => follower.get(key)?.watched ?? []);
    const before = recording.problem();
    adopt(recording.seen(seen));
    if (recording.problem() !== before) notify();
  });

  adopt(recording.read());

  return {
    snapshot() {
      if (shown) return shown;
      const entries = follower.all();
      shown = {
        entries,
        open: entries.filter(({ finality }) => finality === "open").length,
        pause,
        askedMs,
        everyMs: follower.everyMs(),
        byLists: follower.byLists(),
        isKnown,
        unkept: recording.problem(),
      };
      return shown;
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    onFinal(listener) {
      finalListeners.add(listener);
      return () => finalListeners.delete(listener);
    },
    progress: (key) => follower.get(key)?.progress ?? null,
    has: (subject) => follower.get(keyOf(subject)) !== null,
    add(subjects) {
      unsaved.flush();
      const asked = new Map(subjects.map((subject) => [keyOf(subject), subject]));
      const fresh = [...asked]
        .filter(([key]) => !follower.get(key))
        .map(([, { kind, supplier, number }]): StoredWatch => {
          const timeline = options.sightings?.of({ kind, supplier, number }) ?? [];
          return { kind, supplier, number, addedAt: clock.now() - wrongByMs(), timeline };
        });
      const known = asked.size - fresh.length;
      const single = [...follower.all(), ...fresh].filter(isSingle).length;
      const beyond = single - maxWatched;
      // Half of what was asked for would look like all of it.
      if (beyond > 0) return { added: 0, known, beyond };
      const kept = recording.add(fresh);
      adopt(kept);
      if (kept === null) for (const one of fresh) follower.follow(one);
      // One that ended earlier is still checked once: it might have changed since.
      for (const key of fresh.map(keyOf)) {
        const isOpen = follower.get(key)?.watched.finality === "open";
        if (!isOpen && pause.kind === "none") follower.checkOnce(key);
      }
      follower.begin();
      notify();
      return { added: fresh.length, known, beyond: 0 };
    },
    remove(subjects) {
      unsaved.flush();
      const keys = new Set(subjects.map(keyOf));
      const gone = [...keys].flatMap((key) => follower.get(key)?.watched ?? []);
      if (gone.length === 0) return 0;
      for (const { key } of gone) drop(key);
      adopt(recording.remove(gone));
      notify();
      return gone.length;
    },
    togglePause() {
      if (pause.kind === "none") {
        stopAll({ kind: "asked" });
        return;
      }
      pause = { kind: "none" };
      follower.pause(false);
      notify();
    },
    refresh: (also = []) => follower.refresh(also),
    show: follower.show,
    sync() {
      unsaved.flush();
      adopt(recording.read());
      notify();
    },
    close() {
      life.abort();
      follower.close();
      unsaved.flush();
      listeners.clear();
      finalListeners.clear();
    },
  };
}
