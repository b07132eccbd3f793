import { createBudget } from "./budget.ts";
import { isRefusal, type PollEvent, poll } from "./poll.ts";
import { createRecording, mostWatched } from "./recording.ts";
import { type KeptWatch, keyOf } from "./subject.ts";
import type { WatchList, WatchListOptions, WatchPause, WatchSnapshot } from "./watch-list-types.ts";
import {
  afterCheck,
  fromKept,
  type Sighting,
  type Watched,
  type WatchProgress,
} from "./watched.ts";

export type {
  Added,
  WatchList,
  WatchListOptions,
  WatchSnapshot,
} from "./watch-list-types.ts";

/** Observations are stored this many milliseconds later; subjects themselves at once. */
const storedAfterMs = 1_000;

interface Held {
  watched: Watched;
  progress: WatchProgress;
  stop: AbortController | null;
  /** Whether the record has it, as far as is known. */
  recorded: boolean;
}

/** Opens a watch list from its record, and starts to check. */
export function createWatchList(options: WatchListOptions): WatchList {
  const { check, clock, askedMs, random, onCheck } = options;
  const budget = options.budget ?? createBudget(clock);
  const recording = createRecording(options.record);
  const life = new AbortController();
  const entries = new Map<string, Held>();
  const listeners = new Set<() => void>();
  const finalListeners = new Set<(watched: Watched) => void>();
  const unsaved = new Set<string>();
  /** How many screens check a subject for the list, by key. */
  const borrowed = new Map<string, number>();
  let pause: WatchPause = { kind: "none" };
  let shown: WatchSnapshot | null = null;

  const notify = () => {
    shown = null;
    for (const listener of [...listeners]) listener();
  };
  const openCount = () => {
    let open = 0;
    for (const { watched } of entries.values()) if (watched.finality === "open") open++;
    return open;
  };
  const everyMs = () => budget.intervalFor(openCount(), askedMs);

  /** Joins what the session and the record know of a subject. */
  const observed = (kept: KeptWatch) => {
    options.sightings?.recall(kept, kept.timeline);
    return options.sightings?.of(kept) ?? kept.timeline;
  };
  const hold = (kept: KeptWatch, recorded: boolean) => {
    const timeline = observed(kept);
    const held: Held = { ...fromKept({ ...kept, timeline }), stop: null, recorded };
    entries.set(held.watched.key, held);
    if (held.watched.finality === "open" && pause.kind === "none") start(held);
  };
  const letGo = ({ stop, watched: { key } }: Held) => {
    stop?.abort();
    entries.delete(key);
    unsaved.delete(key);
  };

  const start = (held: Held, firstAfterMs = 0) => {
    if (life.signal.aborted || borrowed.has(held.watched.key)) return;
    held.stop?.abort();
    const stop = new AbortController();
    held.stop = stop;
    const follow = async () => {
      const { signal } = stop;
      const events = poll<Sighting>({
        check: (ending) => budget.spend((room) => check(held.watched, room), ending),
        intervalMs: everyMs,
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

  const take = (held: Held, end: PollEvent<Sighting>) => {
    if (end.kind === "checking") {
      held.progress = { ...held.progress, checking: true, nextAt: null };
      return;
    }
    const before = held.watched;
    Object.assign(held, afterCheck(held, end));
    const { watched } = held;
    const error = end.kind === "failed" ? end.error : null;
    if (watched === before) return;
    if (watched.timeline !== before.timeline) saveSoon(watched.key);
    if (isRefusal(error) && pause.kind === "none") stopAll({ kind: "refused", error });
    else notify();
    if (before.finality === "open" && watched.finality !== "open")
      for (const listener of [...finalListeners]) listener(watched);
  };

  const stopAll = (why: WatchPause) => {
    pause = why;
    for (const held of entries.values()) held.stop?.abort();
    notify();
  };

  /** Makes the entries those of the record, and keeps what could not be recorded. */
  const adopt = (kept: readonly KeptWatch[] | null) => {
    if (kept === null) return;
    const there = new Set(kept.map(keyOf));
    for (const one of kept) {
      const held = entries.get(keyOf(one));
      if (held) held.recorded = true;
      else hold(one, true);
    }
    for (const held of [...entries.values()])
      if (held.recorded && !there.has(held.watched.key)) letGo(held);
  };

  const save = () => {
    const timelines = new Map(
      [...unsaved].map((key) => [key, entries.get(key)?.watched.timeline ?? []] as const),
    );
    unsaved.clear();
    const before = recording.problem();
    adopt(recording.seen(timelines));
    if (recording.problem() !== before) notify();
  };
  const saveSoon = (key: string) => {
    const first = unsaved.size === 0;
    unsaved.add(key);
    if (first) clock.sleep(storedAfterMs, life.signal).then(save, () => {});
  };

  /** Stores observations before the record is read. */
  const settle = () => {
    if (unsaved.size > 0) save();
  };

  adopt(recording.read());

  return {
    snapshot() {
      shown ??= {
        entries: [...entries.values()].map(({ watched }) => watched),
        open: openCount(),
        pause,
        askedMs,
        everyMs: everyMs(),
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
      settle();
      const asked = new Map(subjects.map((subject) => [keyOf(subject), subject]));
      const fresh = [...asked]
        .filter(([key]) => !entries.has(key))
        .map(([, { kind, supplier, number }]): KeptWatch => {
          const timeline = options.sightings?.of({ kind, supplier, number }) ?? [];
          return { kind, supplier, number, addedAt: clock.now(), timeline };
        });
      const fitting = fresh.slice(0, Math.max(0, mostWatched - entries.size));
      const kept = recording.add(fitting);
      adopt(kept);
      if (kept === null) for (const one of fitting) hold(one, false);
      // One that ended earlier is still checked once: it might have changed since.
      for (const one of fitting) {
        const held = entries.get(keyOf(one));
        if (held && held.watched.finality !== "open" && pause.kind === "none") start(held);
      }
      const added = fitting.filter((one) => entries.has(keyOf(one))).length;
      notify();
      return { added, known: asked.size - fresh.length, left: fresh.length - added };
    },
    remove(subjects) {
      settle();
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
      for (const held of entries.values()) if (held.watched.finality === "open") start(held);
      notify();
    },
    refresh(also = []) {
      const named = new Set(also.map(keyOf));
      for (const held of entries.values()) {
        // One that already waits for its slot is not moved to the end of the queue.
        if (held.progress.checking && held.stop) continue;
        if (held.watched.finality === "open" || named.has(held.watched.key)) start(held);
      }
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
          const { nextAt, checkedAt } = held.progress;
          const due = nextAt ?? (checkedAt === null ? 0 : checkedAt + everyMs());
          start(held, Math.max(0, due - clock.now()));
        },
      };
    },
    sync() {
      settle();
      adopt(recording.read());
      notify();
    },
    close() {
      life.abort();
      for (const held of entries.values()) held.stop?.abort();
      settle();
      listeners.clear();
      finalListeners.clear();
    },
  };
}
