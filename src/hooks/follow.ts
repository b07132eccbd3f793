import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { isServiceError } from "../api/errors.ts";
import type { Answer } from "../api/service.ts";
import type { Actions } from "../keys/scopes.ts";
import { readingKeys } from "../session/pager.ts";
import { shownIntervalMs } from "../watch/pace.ts";
import { isRefusal, poll } from "../watch/poll.ts";
import { finalityOf, type WatchSubject } from "../watch/subject.ts";
import { notFound, type Transition } from "../watch/transitions.ts";
import type { CheckResult } from "../watch/watched.ts";
import { useApp, useNoticeWhile, useSession } from "./app.tsx";
import { useCancellable } from "./in-flight.tsx";
import { useActive, useFreshness } from "./window.tsx";

/** The results of the checks so far. */
interface CheckResults<T> {
  /** The last answer that could be read. */
  readonly latest: Answer<T> | null;
  /** The error of the last check, or null if it succeeded. A 404 is a state, not an error. */
  readonly error: unknown;
  readonly transitions: readonly Transition[];
  /** Number of checks that found the latest state again while this screen was open. */
  readonly checks: number;
  /** Epoch milliseconds at which the running check was sent, or null if none is running. */
  readonly askedAt: number | null;
  readonly checkedAt: number | null;
  readonly nextAt: number | null;
  /** The raw body of the last answer, errors included, or null before the first answer. */
  readonly raw: string | null;
}

/** A subject that is checked repeatedly, and its observations. */
export interface Follow<T> extends CheckResults<T> {
  readonly everyMs: number;
  readonly paused: boolean;
  /** The service refused the credentials: checking is paused until you resume it. */
  readonly refused: boolean;
  /** No further change is expected, so it is checked rarely. */
  readonly final: boolean;
  /** The service answered 404 to every check that was observed here. */
  readonly missing: boolean;
  togglePause(): void;
  refresh(): void;
}

const nothingSeen: CheckResults<never> = {
  latest: null,
  error: null,
  transitions: [],
  checks: 0,
  askedAt: null,
  checkedAt: null,
  nextAt: null,
  raw: null,
};

/**
 * Checks a subject while the screen is on top and checking is not paused: rarely after a final
 * state, not at all after refused credentials. Observations stay while the screen is covered. It
 * starts with one check, and with earlier observations on this screen, on the watch list or in an
 * earlier session.
 */
export function useFollow<T>(options: {
  readonly subject: WatchSubject;
  readonly check: (signal: AbortSignal) => Promise<Answer<T>>;
  readonly sightingOf: (value: T) => CheckResult;
}): Follow<T> {
  const { check, sightingOf } = options;
  const { kind, supplier, number } = options.subject;
  const subject = useMemo(() => ({ kind, supplier, number }), [kind, supplier, number]);
  const { clock, settings } = useApp();
  const { report, sightings, watch, recall } = useSession();
  const active = useActive();
  const [seen, setSeen] = useState<CheckResults<T>>(() => ({
    ...nothingSeen,
    transitions: sightings.of(subject),
  }));
  const [paused, setPaused] = useState(false);
  const [refreshCount, setRefreshCount] = useState(0);
  // The first check counts as requested.
  const asked = useRef(-1);
  // Preferences are in a file: read them when the screen opens, not with each frame.
  const [askedMs] = useState(() => settings.preferences().pollIntervalMs);
  const final = finalityOf(kind, seen.transitions) !== "open";
  // What was recalled meanwhile does not ask again: the check that is running goes on.
  const [rests, setRests] = useState(final);
  if (rests !== final && seen.askedAt === null) setRests(final);
  const everyMs = shownIntervalMs(rests, askedMs);
  const checkedAt = useRef<number | null>(null);
  const running = useRef<AbortController | null>(null);
  useEffect(() => {
    let isOpen = true;
    void recall(subject).then((transitions) => {
      if (isOpen && transitions.length > 0) setSeen((before) => ({ ...before, transitions }));
    });
    return () => {
      isOpen = false;
    };
  }, [recall, subject]);
  useEffect(() => {
    if (!active) return;
    const forced = refreshCount !== asked.current;
    asked.current = refreshCount;
    if (paused && !forced) return;
    const stop = new AbortController();
    running.current = stop;
    // A subject that is on the watch list too is checked once, for both.
    const borrowed = watch.borrow(subject);
    stop.signal.addEventListener("abort", borrowed.release, { once: true });
    const follow = async () => {
      for await (const event of poll({
        check,
        intervalMs: everyMs,
        clock,
        signal: stop.signal,
        // Reopening the screen does not bring the next check of a final state forward.
        firstAfterMs:
          rests && !forced ? Math.max(0, (checkedAt.current ?? 0) + everyMs - clock.now()) : 0,
      })) {
        borrowed.report(
          event.kind === "answer" ? { ...event, value: sightingOf(event.value.value) } : event,
        );
        if (event.kind === "checking") {
          setSeen((before) => ({ ...before, askedAt: event.at, nextAt: null }));
          continue;
        }
        checkedAt.current = event.at;
        const outcome = event.kind === "answer" ? null : event.error;
        report(outcome);
        const state = stateIn(event, sightingOf);
        const timeline = state === null ? null : sightings.saw(subject, state, event.at);
        setSeen((before) => ({ ...before, ...after(before, event, timeline) }));
        if (outcome !== null && isRefusal(outcome)) {
          setPaused(true);
          return;
        }
        if (forced && paused) return;
      }
    };
    void follow().finally(() => {
      borrowed.release();
      if (running.current === stop) setSeen((before) => ({ ...before, askedAt: null }));
    });
    return () => stop.abort();
  }, [
    check,
    sightingOf,
    clock,
    report,
    sightings,
    watch,
    subject,
    everyMs,
    active,
    paused,
    rests,
    refreshCount,
  ]);
  const cancel = useCallback(() => {
    running.current?.abort();
    setPaused(true);
  }, []);
  useCancellable(active && seen.askedAt !== null, cancel);
  useFreshness(seen.checkedAt, everyMs * 3);
  return {
    ...seen,
    everyMs,
    paused,
    refused: paused && isRefusal(seen.error),
    final,
    missing:
      seen.transitions.length > 0 && seen.transitions.every(({ state }) => state === notFound),
    togglePause: () => setPaused((before) => !before),
    refresh: () => setRefreshCount((count) => count + 1),
  };
}

type Outcome<T> =
  | {
      readonly kind: "answer";
      readonly at: number;
      readonly value: Answer<T>;
      readonly nextAt: number;
    }
  | {
      readonly kind: "failed";
      readonly at: number;
      readonly error: unknown;
      readonly nextAt: number;
    };

/** Returns the state that a check found, or null if it failed. */
function stateIn<T>(event: Outcome<T>, sightingOf: (value: T) => CheckResult): string | null {
  if (event.kind === "answer") return sightingOf(event.value.value).state;
  return isServiceError(event.error, "not-found") ? notFound : null;
}

/**
 * Returns the changes that a check makes to the results. `timeline` is null if the check failed.
 */
function after<T>(
  before: CheckResults<T>,
  event: Outcome<T>,
  timeline: readonly Transition[] | null,
): Partial<CheckResults<T>> {
  const common = { askedAt: null, nextAt: event.nextAt };
  const same = timeline?.at(-1)?.state === before.transitions.at(-1)?.state;
  const found = timeline && {
    error: null,
    checkedAt: event.at,
    transitions: timeline,
    checks: same ? before.checks + 1 : 0,
  };
  if (event.kind === "answer") {
    return { ...common, ...found, latest: event.value, raw: event.value.raw };
  }
  const raw = isServiceError(event.error) ? (event.error.facts.body ?? before.raw) : before.raw;
  if (found) return { ...common, ...found, latest: null, raw };
  return { ...common, error: event.error, raw };
}

/** The keys of a screen that follows a subject: refresh, pause, and the raw answer. */
export function useFollowActions(follow: Follow<unknown>, title: string): Actions {
  // Once the answer is there, the key that would cancel the check would quit the program.
  const sayChecking = useNoticeWhile(follow.askedAt !== null);
  const app = useApp();
  const { key } = app;
  const { raw } = follow;
  return {
    refresh: {
      // Not disabled during a check: the footer would change twice with each one.
      run: () => {
        if (follow.askedAt === null) follow.refresh();
        else sayChecking(`Checking now; ${key("cancel")} cancels it.`);
      },
    },
    pause: {
      run: follow.togglePause,
      label: follow.paused ? "resume" : "pause",
    },
    ...readingKeys(
      app,
      { title, raw: raw ?? "" },
      raw === null ? "No response has arrived yet." : null,
    ),
  };
}
