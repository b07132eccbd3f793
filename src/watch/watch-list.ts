import { createBudget } from "./budget.ts";
import { createByLists } from "./by-lists.ts";
import { statusIntervalMs } from "./pace.ts";
import { isRefusal, type PollEvent, poll } from "./poll.ts";
import { createRecording, maxWatched, savedSoon } from "./recording.ts";
import { isSingle, keyOf, type StoredWatch } from "./subject.ts";
import type {
  FinalListener,
  WatchList,
  WatchListOptions,
  WatchPause,
  WatchSnapshot,
} from "./watch-list-types.ts";
import {
  afterCheck,
  type CheckResult,
  fromKept,
  type Watched,
  type WatchProgress,
} from "./watched.ts";

export type {
  Added,
  WatchList,
  WatchListOptions,
  WatchSnapshot,
} from "./watch-list-types.ts";

interface Held {
  watched: Watched;
  progress: WatchProgress;
  stop: AbortController | null;
  /** True if the record has the subject, as far as is known. */
  recorded: boolean;
}

/** Opens a watch list from its record, and starts to check. */
export function createWatchList(options: WatchListOptions): WatchList {
  const { check, clock, askedMs, random, onCheck, wrongByMs = () => 0 } = options;
  const budget = options.budget ?? createBudget(clock);
  const recording = createRecording(options.record);
  const life = new AbortController();
  const entries = new Map<string, Held>();
  const listeners = new Set<() => void>();
  const finalListeners = new Set<FinalListener>();
  /** Number of screens that check a subject for the list, by key. */
  const borrowed = new Map<string, number>();
  let pause: WatchPause = { kind: "none" };
  let shown: WatchSnapshot | null = null;
  let isKnown = false;

  const notify = () => {
    shown = null;
    for (const listener of [...listeners]) listener();
  };
  const openCount = () => {
    let open = 0;
    for (const { watched } of entries.values()) if (watched.finality === "open") open++;
    return open;
  };
  const pollMs = () => statusIntervalMs(byLists.others(), askedMs);
  const everyMs = () => Math.max(pollMs(), byLists.everyMs());

  /** Joins the observations of a subject from the session and from the record. */
  const observed = (kept: StoredWatch) => {
    options.sightings?.recall(kept, kept.timeline);
    return options.sightings?.of(kept) ?? kept.timeline;
  };
  const hold = (kept: StoredWatch, recorded: boolean) => {
    const timeline = observed(kept);
    const held: Held = { ...fromKept({ ...kept, timeline }), stop: null, recorded };
    entries.set(held.watched.key, held);
  };
  const letGo = ({ stop, watched: { key } }: Held) => {
    stop?.abort();
    entries.delete(key);
    unsaved.delete(key);
  };

  const byLists = createByLists({
    lists: options.lists,
    watched: () => [...entries.values()].map(({ watched }) => watched),
    isBorrowed: (key) => borrowed.has(key),
    report(key, event) {
      const held = entries.get(key);
      if (held) take(held, event);
    },
    reported: () => begin(),
  });

  /** Lets everything that is open be checked: by lists, or by its status. */
  const begin = () => {
    const isPaused = pause.kind !== "none" || life.signal.aborted;
    byLists.settle(isPaused);
    if (isPaused) return;
    for (const held of entries.values()) {
      if (held.watched.finality !== "open") continue;
      if (byLists.covers(held.watched)) held.stop?.abort();
      else if (held.stop === null || held.stop.signal.aborted) start(held);
    }
  };

  const start = (held: Held, firstAfterMs = 0) => {
    if (life.signal.aborted || borrowed.has(held.watched.key)) return;
    held.stop?.abort();
    const stop = new AbortController();
    held.stop = stop;
    const follow = async () => {
      const { signal } = stop;
      const events = poll<CheckResult>({
        check: (ending) => budget.spend((room) => check(held.watched, room), ending),
        intervalMs: pollMs,
        clock,
        signal,
        firstAfterMs,
        ...(random ? { random } : {}),
      });
      for await (const event of events) {
        if (signal.aborted) break;
        take(held, event);
        if (event.kind === "checking") continue;
        onCheck?.(event.kind === "failed" ? event.error : null);
        if (held.watched.finality !== "open" || pause.kind !== "none") break;
      }
    };
    void follow().finally(() => {
      if (held.stop !== stop) return;
      held.stop = null;
      held.progress = { ...held.progress, checking: false, nextAt: null };
    });
  };

  const checkOnce = (held: Held) => {
    if (held.watched.kind === "cohort") byLists.checkAgain(held.watched.key);
    else start(held);
  };

  const take = (held: Held, end: PollEvent<CheckResult>) => {
    if (end.kind === "checking") {
      held.progress = { ...held.progress, checking: true, nextAt: null };
      return;
    }
    const before = held.watched;
    Object.assign(held, afterCheck(held, end, wrongByMs()));
    const { watched } = held;
    const error = end.kind === "failed" ? end.error : null;
    if (watched === before) return;
    if (watched.timeline !== before.timeline) unsaved.add(watched.key);
    if (isRefusal(error) && pause.kind === "none") stopAll({ kind: "refused", error });
    else notify();
    const failed = end.kind === "answer" ? (end.value.failed ?? null) : null;
    const hasEnded = before.finality === "open" && watched.finality !== "open";
    if (hasEnded || failed !== null)
      for (const listener of [...finalListeners]) listener(watched, failed);
  };

  const stopAll = (why: WatchPause) => {
    pause = why;
    for (const held of entries.values()) held.stop?.abort();
    byLists.settle(true);
    notify();
  };

  /** Replaces the entries by those of the record. Entries that could not be recorded stay. */
  const adopt = (kept: readonly StoredWatch[] | null) => {
    if (kept === null) return;
    isKnown = true;
    const there = new Set(kept.map(keyOf));
    for (const one of kept) {
      const held = entries.get(keyOf(one));
      if (held) held.recorded = true;
      else hold(one, true);
    }
    for (const held of [...entries.values()])
      if (held.recorded && !there.has(held.watched.key)) letGo(held);
    begin();
  };

  const unsaved = savedSoon(clock, life.signal, (keys) => {
    const timelines = new Map(
      [...keys].map((key) => [key, entries.get(key)?.watched.timeline ?? []] as const),
    );
    const before = recording.problem();
    adopt(recording.seen(timelines));
    if (recording.problem() !== before) notify();
  });

  adopt(recording.read());

  return {
    snapshot() {
      shown ??= {
        entries: [...entries.values()].map(({ watched }) => watched),
        open: openCount(),
        pause,
        askedMs,
        everyMs: everyMs(),
        byLists: byLists.suppliers(),
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
    progress: (key) => entries.get(key)?.progress ?? null,
    has: (subject) => entries.has(keyOf(subject)),
    add(subjects) {
      unsaved.flush();
      const asked = new Map(subjects.map((subject) => [keyOf(subject), subject]));
      const fresh = [...asked]
        .filter(([key]) => !entries.has(key))
        .map(([, { kind, supplier, number }]): StoredWatch => {
          const timeline = options.sightings?.of({ kind, supplier, number }) ?? [];
          return { kind, supplier, number, addedAt: clock.now() - wrongByMs(), timeline };
        });
      const known = asked.size - fresh.length;
      const single = [...entries.values()].filter(({ watched }) => isSingle(watched)).length;
      const beyond = single + fresh.filter(isSingle).length - maxWatched;
      // Half of what was asked for would look like all of it.
      if (beyond > 0) return { added: 0, known, beyond };
      const kept = recording.add(fresh);
      adopt(kept);
      if (kept === null) for (const one of fresh) hold(one, false);
      // One that ended earlier is still checked once: it might have changed since.
      for (const one of fresh) {
        const held = entries.get(keyOf(one));
        if (held && held.watched.finality !== "open" && pause.kind === "none") checkOnce(held);
      }
      begin();
      notify();
      return { added: fresh.length, known, beyond: 0 };
    },
    remove(subjects) {
      unsaved.flush();
      const gone = new Set<string>();
      for (const subject of subjects) {
        const held = entries.get(keyOf(subject));
        if (!held) continue;
        letGo(held);
        gone.add(held.watched.key);
      }
      if (gone.size === 0) return 0;
      adopt(recording.remove(gone));
      notify();
      return gone.size;
    },
    togglePause() {
      if (pause.kind === "none") {
        stopAll({ kind: "asked" });
        return;
      }
      pause = { kind: "none" };
      begin();
      notify();
    },
    refresh(also = []) {
      const named = new Set(also.map(keyOf));
      for (const held of entries.values()) {
        // One that already waits for its slot is not moved to the end of the queue.
        if (held.progress.checking && held.stop) continue;
        const isOpen = held.watched.finality === "open" && !byLists.covers(held.watched);
        if (isOpen || named.has(held.watched.key)) checkOnce(held);
      }
      if (pause.kind === "none") begin();
      byLists.refresh();
    },
    borrow(subject) {
      const key = keyOf(subject);
      borrowed.set(key, (borrowed.get(key) ?? 0) + 1);
      entries.get(key)?.stop?.abort();
      let isBorrowed = true;
      return {
        report(event) {
          const held = entries.get(key);
          if (isBorrowed && held && !life.signal.aborted) take(held, event);
        },
        release() {
          if (!isBorrowed) return;
          isBorrowed = false;
          const others = (borrowed.get(key) ?? 1) - 1;
          if (others > 0) borrowed.set(key, others);
          else borrowed.delete(key);
          const held = entries.get(key);
          if (!held || others > 0) return;
          held.progress = { ...held.progress, checking: false };
          if (held.watched.finality !== "open" || pause.kind !== "none") return;
          if (byLists.covers(held.watched)) return;
          const { nextAt, checkedAt } = held.progress;
          const due = nextAt ?? (checkedAt === null ? 0 : checkedAt + everyMs());
          start(held, Math.max(0, due - clock.now()));
        },
      };
    },
    sync() {
      unsaved.flush();
      adopt(recording.read());
      notify();
    },
    close() {
      life.abort();
      for (const held of entries.values()) held.stop?.abort();
      byLists.settle(true);
      unsaved.flush();
      listeners.clear();
      finalListeners.clear();
    },
  };
}
