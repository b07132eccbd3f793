/** Checks the status of an account or a supply point repeatedly while its screen is on top. */
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { isServiceError } from "../api/errors.ts";
import type { AccountStatus, ReadResult, SupplyPointProcess } from "../api/service.ts";
import type { Actions } from "../keys/scopes.ts";
import { readingKeys } from "../session/pager.ts";
import { shownIntervalMs } from "../watch/pace.ts";
import { isCredentialError, type PollEvent } from "../watch/poll.ts";
import { finalityOf, notFound, type Transition } from "../watch/timeline.ts";
import type { CheckEnd, CheckResult } from "../watch/watched.ts";
import { useApp, useNoticeWhile, useSession } from "./app.tsx";
import { useCancellable } from "./in-flight.tsx";
import { useActive, useFreshness } from "./window.tsx";

interface CheckResults<T> {
  /** The last readable response, or null if there was none or the last check found a 404. */
  readonly latest: ReadResult<T> | null;
  /** The error of the last check, or null if it succeeded. A 404 is a state, not an error. */
  readonly error: unknown;
  readonly transitions: readonly Transition[];
  /** The number of checks of this session that found the latest state again. */
  readonly checks: number;
  /** Epoch milliseconds at which the running check was sent, or null if none is running. */
  readonly askedAt: number | null;
  /** Epoch milliseconds of the last check that found a state, or null before the first. */
  readonly checkedAt: number | null;
  /** Epoch milliseconds of the next check, or null if none is planned. */
  readonly nextAt: number | null;
  /** The raw body of the last response, errors included, or null before the first response. */
  readonly raw: string | null;
}

export interface Checking<T> extends CheckResults<T> {
  /** The milliseconds between two checks. */
  readonly everyMs: number;
  readonly paused: boolean;
  /** True if the service rejected the credentials. Checks are paused until the user resumes them. */
  readonly refused: boolean;
  /** True if no further change is expected. The subject is then checked rarely. */
  readonly final: boolean;
  /** True if 404 is the only observed state. */
  readonly missing: boolean;
  togglePause(): void;
  refresh(): void;
}

const noResults: CheckResults<never> = {
  latest: null,
  error: null,
  transitions: [],
  checks: 0,
  askedAt: null,
  checkedAt: null,
  nextAt: null,
  raw: null,
};

interface StatusOfKind {
  readonly account: AccountStatus;
  readonly "supply-point": SupplyPointProcess;
}

/**
 * Checks a subject repeatedly while the screen is on top and checking is not paused. The results
 * begin with the observations of this session and of earlier sessions. A final state is checked
 * rarely. If the service rejects the credentials, the checks are paused.
 */
export function useChecking<Kind extends keyof StatusOfKind>(
  kind: Kind,
  supplier: string,
  number: string,
): Checking<StatusOfKind[Kind]> {
  const subject = useMemo(() => ({ kind, supplier, number }), [kind, supplier, number]);
  const { clock, settings } = useApp();
  const { checkHistory, watch, recall } = useSession();
  const active = useActive();
  const [results, setResults] = useState<CheckResults<StatusOfKind[Kind]>>(() => ({
    ...noResults,
    transitions: checkHistory.of(subject),
    checks: checkHistory.repeatsOf(subject),
  }));
  const [paused, setPaused] = useState(false);
  const [refreshCount, setRefreshCount] = useState(0);
  // The first check counts as requested by the user, so it starts at once.
  const startedRefreshes = useRef(-1);
  // The preferences are in a file, so they are read when the screen opens and not in each frame.
  const [intervalMs] = useState(() => settings.preferences().pollIntervalMs);
  const final = finalityOf(kind, results.transitions) !== "open";
  const everyMs = shownIntervalMs(final, intervalMs);
  /** The earliest time of the next check of a final state. */
  const finalCheckAt = useRef(0);
  useEffect(() => {
    let isOpen = true;
    void recall(subject).then((transitions) => {
      if (isOpen && transitions.length > 0) setResults((before) => ({ ...before, transitions }));
    });
    return () => {
      isOpen = false;
    };
  }, [recall, subject]);
  useEffect(() => {
    if (!active) return;
    const isRequested = refreshCount !== startedRefreshes.current;
    startedRefreshes.current = refreshCount;
    if (paused && !isRequested) return;
    const handleEvent = (event: PollEvent<CheckResult>) => {
      if (event.kind === "checking") {
        setResults((before) => ({ ...before, askedAt: event.at, nextAt: null }));
        return;
      }
      const timeline = checkHistory.of(subject);
      const checks = checkHistory.repeatsOf(subject);
      const isFinal = finalityOf(kind, timeline) !== "open";
      finalCheckAt.current = isFinal ? event.at + shownIntervalMs(isFinal, intervalMs) : 0;
      setResults((before) => ({ ...before, ...changesAfter(before, event, timeline, checks) }));
      if (event.kind === "failed" && isCredentialError(event.error)) setPaused(true);
      else if (!paused) return;
      stop();
    };
    // Reopening the screen does not make the next check of a final state earlier.
    const firstAfterMs = isRequested ? 0 : Math.max(0, finalCheckAt.current - clock.now());
    const stop = watch.show(subject, handleEvent, firstAfterMs);
    return () => {
      stop();
      setResults((before) => (before.askedAt === null ? before : { ...before, askedAt: null }));
    };
  }, [clock, checkHistory, watch, subject, kind, intervalMs, active, paused, refreshCount]);
  useCancellable(
    active && results.askedAt !== null,
    useCallback(() => setPaused(true), []),
  );
  useFreshness(results.checkedAt, everyMs * 3);
  return {
    ...results,
    everyMs,
    paused,
    refused: paused && isCredentialError(results.error),
    final,
    missing:
      results.transitions.length > 0 &&
      results.transitions.every(({ state }) => state === notFound),
    togglePause: () => setPaused((before) => !before),
    refresh: () => setRefreshCount((count) => count + 1),
  };
}

/**
 * Returns the changes of the results by a check. `timeline` includes the state that the check found, and
 * `checks` counts the checks that found it again.
 */
function changesAfter<T extends StatusOfKind[keyof StatusOfKind]>(
  before: CheckResults<T>,
  event: CheckEnd,
  timeline: readonly Transition[],
  checks: number,
): Partial<CheckResults<T>> {
  const common = { askedAt: null, nextAt: event.nextAt };
  const { error = null } = event.kind === "failed" ? event : {};
  const raw = isServiceError(error) ? (error.facts.body ?? before.raw) : before.raw;
  if (error !== null && !isServiceError(error, "not-found")) return { ...common, error, raw };
  const latest = event.kind === "answer" ? (event.value.answer as ReadResult<T>) : null;
  return {
    ...common,
    error: null,
    checkedAt: event.at,
    transitions: timeline,
    checks,
    latest,
    raw: latest === null ? raw : latest.raw,
  };
}

/** Returns the keys of a screen that follows a subject: refresh, pause, and the raw response. */
export function useCheckingActions(checking: Checking<unknown>, title: string): Actions {
  // The notice must end with the check, because the key that cancels then quits the program.
  const showChecking = useNoticeWhile(checking.askedAt !== null);
  const app = useApp();
  const { key } = app;
  const { raw } = checking;
  return {
    refresh: {
      // The key stays enabled during a check. Otherwise the footer would change twice with each
      // check.
      run: () => {
        if (checking.askedAt === null) checking.refresh();
        else showChecking(`Checking now; ${key("cancel")} cancels it.`);
      },
    },
    pause: {
      run: checking.togglePause,
      label: checking.paused ? "resume" : "pause",
    },
    ...readingKeys(
      app,
      { title, raw: raw ?? "" },
      raw === null ? "No response has arrived yet." : null,
    ),
  };
}
