/** Checks watched accounts, supply points and cohorts again and again, side by side. */
import type { Clock } from "../api/clock.ts";
import { type Budget, createBudget } from "./budget.ts";
import { createByLists, type FollowByLists } from "./by-lists.ts";
import type { CheckHistory } from "./check-history.ts";
import { longestBackOffMs, shownIntervalMs, statusIntervalMs } from "./pace.ts";
import { type PollEvent, poll } from "./poll.ts";
import { finalityOf, keyOf, type StoredWatch, type WatchSubject } from "./timeline.ts";
import {
  afterCheck,
  type CheckEnd,
  type CheckResult,
  type Watched,
  type WatchProgress,
  watchStateOf,
} from "./watched.ts";

type ShownListener = (event: PollEvent<CheckResult>) => void;

interface Entry {
  watched: Watched;
  progress: WatchProgress;
  stop: AbortController | null;
  /** True if the subject is followed to its end, even if no screen shows it. */
  isFollowed: boolean;
  readonly shown: Set<ShownListener>;
}

export interface FollowerOptions {
  /** Checks a subject. Rejects with `not-found` if the service does not know it. */
  readonly check: (subject: WatchSubject, signal: AbortSignal) => Promise<CheckResult>;
  /**
   * The observations of subjects in the whole program. They provide missing states, and receive the
   * states of earlier sessions.
   */
  readonly checkHistory?: Pick<CheckHistory, "of" | "recall">;
  readonly clock: Clock;
  /**
   * Returns the milliseconds by which the clock is ahead of the service's clock. Timelines use the
   * service's time. Default: 0.
   */
  readonly wrongByMs?: () => number;
  readonly intervalMs: number;
  /**
   * Checks the accounts of a supplier by its lists if there are many. Without this function, each
   * account is checked by its status.
   */
  readonly lists?: FollowByLists;
  readonly budget?: Budget;
  readonly random?: () => number;
  readonly onCheck?: (error: unknown) => void;
}

/** Creates a follower. Calls `changed` with a subject after a check that found something new. */
export function createFollower(
  options: FollowerOptions,
  changed: (watched: Watched, before: Watched, end: CheckEnd) => void,
) {
  const { check, clock, intervalMs, random, onCheck, checkHistory, wrongByMs = () => 0 } = options;
  const budget = options.budget ?? createBudget(clock);
  const life = new AbortController();
  const entries = new Map<string, Entry>();
  let isPaused = false;

  const followed = () => [...entries.values()].filter(({ isFollowed }) => isFollowed);
  const isShown = (key: string) => (entries.get(key)?.shown.size ?? 0) > 0;
  const byLists = createByLists({
    lists: options.lists,
    watched: () => followed().map(({ watched }) => watched),
    isShown,
    report(key, end) {
      const entry = entries.get(key);
      if (entry) take(entry, end);
    },
    reported: () => begin(),
  });
  const intervalOf = ({ watched, shown }: Entry) => {
    if (shown.size === 0) return statusIntervalMs(byLists.oneByOne(), intervalMs);
    const timeline = checkHistory?.of(watched) ?? watched.timeline;
    return shownIntervalMs(finalityOf(watched.kind, timeline) !== "open", intervalMs);
  };
  const everyMs = () =>
    Math.max(statusIntervalMs(byLists.oneByOne(), intervalMs), byLists.everyMs());

  const take = (entry: Entry, event: PollEvent<CheckResult>) => {
    if (event.kind === "checking") {
      entry.progress = { ...entry.progress, checking: true, nextAt: null };
      return;
    }
    const before = entry.watched;
    Object.assign(entry, afterCheck(entry, event, wrongByMs()));
    if (entry.isFollowed && entry.watched !== before) changed(entry.watched, before, event);
  };

  const start = (entry: Entry, firstAfterMs = 0) => {
    entry.stop?.abort();
    if (life.signal.aborted) return;
    const stop = new AbortController();
    entry.stop = stop;
    const run = async () => {
      const { signal } = stop;
      const events = poll<CheckResult>({
        // A check for a screen does not wait behind hundreds of others.
        check: (checkSignal) =>
          entry.shown.size > 0
            ? check(entry.watched, checkSignal)
            : budget.spend((slotSignal) => check(entry.watched, slotSignal), checkSignal),
        intervalMs: () => intervalOf(entry),
        clock,
        signal,
        firstAfterMs,
        ...(random ? { random } : {}),
      });
      for await (const event of events) {
        if (signal.aborted) break;
        take(entry, event);
        if (event.kind !== "checking") onCheck?.(event.kind === "failed" ? event.error : null);
        for (const listener of [...entry.shown]) listener(event);
        if (event.kind === "checking" || entry.shown.size > 0) continue;
        if (entry.watched.finality !== "open" || isPaused) break;
      }
    };
    void run().finally(() => {
      if (entry.stop !== stop) return;
      entry.stop = null;
      entry.progress = { ...entry.progress, checking: false, nextAt: null };
    });
  };

  const begin = () => {
    byLists.settle(isPaused || life.signal.aborted);
    if (isPaused || life.signal.aborted) return;
    for (const entry of followed()) {
      if (entry.watched.finality !== "open" || entry.shown.size > 0) continue;
      if (byLists.covers(entry.watched)) entry.stop?.abort();
      else if (entry.stop === null || entry.stop.signal.aborted) start(entry);
    }
  };

  /** Checks a subject once, even if it is final or checking is paused. */
  const checkOnce = (key: string) => {
    const entry = entries.get(key);
    if (!entry || entry.shown.size > 0) return;
    if (entry.watched.kind === "cohort") byLists.checkAgain(key);
    else start(entry);
  };

  /** Continues the checks of a subject that no screen shows any more, when one is due. */
  const continueFollowing = (entry: Entry) => {
    const { finality } = entry.watched;
    if (finality !== "open" || isPaused || byLists.covers(entry.watched)) return;
    const { nextAt, checkedAt } = entry.progress;
    const due = nextAt ?? (checkedAt === null ? 0 : checkedAt + everyMs());
    // A clock that was set back does not delay the check.
    start(entry, Math.min(Math.max(0, due - clock.now()), Math.max(everyMs(), longestBackOffMs)));
  };

  return {
    all: () => followed().map(({ watched }) => watched),
    get(key: string): Readonly<Pick<Entry, "watched" | "progress">> | null {
      const entry = entries.get(key);
      return entry?.isFollowed ? entry : null;
    },
    /** Adds a subject with its stored observations. Call `begin` after the last subject. */
    follow(stored: StoredWatch) {
      checkHistory?.recall(stored, stored.timeline);
      const state = watchStateOf({
        ...stored,
        timeline: checkHistory?.of(stored) ?? stored.timeline,
      });
      const shown = entries.get(state.watched.key);
      entries.delete(state.watched.key);
      entries.set(
        state.watched.key,
        shown
          ? Object.assign(shown, { watched: state.watched, isFollowed: true })
          : { ...state, stop: null, isFollowed: true, shown: new Set() },
      );
    },
    drop(key: string) {
      const entry = entries.get(key);
      if (!entry) return;
      entry.isFollowed = false;
      if (entry.shown.size > 0) return;
      entry.stop?.abort();
      entries.delete(key);
    },
    begin,
    checkOnce,
    /** Checks all open subjects now, and the subjects of `also` even if they are final. */
    refresh(also: readonly WatchSubject[]) {
      const requestedKeys = new Set(also.map(keyOf));
      for (const { watched, progress, stop } of followed()) {
        // A subject that already waits for its slot is not moved to the end of the queue.
        if (progress.checking && stop) continue;
        const isOpen = watched.finality === "open" && !byLists.covers(watched);
        if (isOpen || requestedKeys.has(watched.key)) checkOnce(watched.key);
      }
      begin();
      byLists.refresh();
    },
    /**
     * Checks a subject for a screen until the returned function is called. The first check is after
     * `firstAfterMs`. These checks have a separate pace, and continue if the subject is final or the
     * other checks are paused.
     */
    show(subject: WatchSubject, listener: ShownListener, firstAfterMs = 0) {
      const { kind, supplier, number } = subject;
      const key = keyOf(subject);
      const entry: Entry = entries.get(key) ?? {
        ...watchStateOf({
          kind,
          supplier,
          number,
          addedAt: 0,
          timeline: checkHistory?.of(subject) ?? [],
        }),
        stop: null,
        isFollowed: false,
        shown: new Set(),
      };
      entries.set(key, entry);
      entry.shown.add(listener);
      start(entry, firstAfterMs);
      return () => {
        if (!entry.shown.delete(listener) || entry.shown.size > 0) return;
        entry.stop?.abort();
        entry.progress = { ...entry.progress, checking: false };
        if (entry.isFollowed) continueFollowing(entry);
        else entries.delete(key);
      };
    },
    /** Pauses all checks except those for screens, or resumes them. */
    pause(paused: boolean) {
      isPaused = paused;
      if (paused)
        for (const entry of entries.values()) if (entry.shown.size === 0) entry.stop?.abort();
      begin();
    },
    everyMs,
    byLists: () => byLists.suppliers(),
    close() {
      life.abort();
      for (const { stop } of entries.values()) stop?.abort();
      byLists.settle(true);
    },
  };
}
