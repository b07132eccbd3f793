/** The notices of the shell: the user's files, observations, and watched subjects that ended. */
import { useEffect, useRef } from "react";
import { useApp, useOpenSession } from "../../hooks/app.tsx";
import type { Overlay } from "../../session/overlays.ts";
import { subjectName } from "../../session/watch-subjects.ts";
import { plural } from "../../text/numbers.ts";
import { alertSequence } from "../../text/osc.ts";
import { latestState } from "../../triage/state-words.ts";
import { notFound } from "../../watch/timeline.ts";
import type { Watched } from "../../watch/watched.ts";

export function useNoticesOfScreen(id: number | undefined, overlay: Overlay | null): void {
  const { notices } = useApp();
  const shown = useRef(id);
  const shownBox = useRef(overlay);
  useEffect(() => {
    if (shownBox.current === overlay) return;
    shownBox.current = overlay;
    notices.boxChanged();
  }, [overlay, notices]);
  useEffect(() => {
    if (shown.current === id) return;
    shown.current = id;
    notices.screenChanged();
  }, [id, notices]);
}

export function useSettingsNotice(): void {
  const app = useApp();
  const { issues } = app.keys;
  const { custom, notices, key } = app;
  useEffect(() => {
    const commandIssues = custom?.issues ?? [];
    const [first] = [...issues, ...commandIssues];
    if (first === undefined) return;
    const issueCount = issues.length + commandIssues.length;
    const countText =
      commandIssues.length === 0
        ? plural(issueCount, "invalid line")
        : plural(issueCount, "invalid entry", "invalid entries");
    // A single issue is shown without the hint about the help, so that the line has room for its
    // remedy.
    notices.announce(
      issueCount === 1 ? first : `${countText}; ${key("help")} lists all. ${first}`,
      "bad",
    );
  }, [issues, custom, key, notices]);
}

export function useObservationNotices(): void {
  const { notices } = useApp();
  const session = useOpenSession();
  useEffect(() => {
    if (session === null) return;
    const { observationNotice } = session;
    const report = () => {
      const text = observationNotice.get();
      if (text !== null) notices.announce(text, "waiting");
    };
    report();
    return observationNotice.subscribe(report);
  }, [notices, session]);
}

interface Ended {
  readonly watched: Watched;
  readonly failed: string | null;
}

const gatherMs = 1_000;
const maxNamed = 3;

/**
 * Reports on all screens that a watched subject reached a final state: by a notice, and by the
 * terminal's bell and desktop notification unless they are off.
 */
export function useWatchAlerts(): void {
  const { clock, env, settings, writeTerminal, notices } = useApp();
  const session = useOpenSession();
  useEffect(() => {
    if (session === null) return;
    const stop = new AbortController();
    let ended: Ended[] = [];
    const report = () => {
      const words = finalWords(ended);
      // A subject that was final at its first check is not news, so the bell is silent.
      const isNews = ended.some(({ watched, failed }) => failed || watched.timeline.length > 1);
      const allSucceeded = ended.every((end) => rank(end) === 1);
      ended = [];
      notices.announce(words, allSucceeded ? "ok" : "bad");
      if (isNews && isBellOn(settings)) writeTerminal(alertSequence(words, env));
    };
    const unsubscribe = session.watch.onFinal((watched, failed) => {
      if (failed !== null) ended.push({ watched, failed });
      if (watched.finality !== "open") ended.push({ watched, failed: null });
      if (ended.length === 1) clock.sleep(gatherMs, stop.signal).then(report, () => {});
    });
    return () => {
      unsubscribe();
      stop.abort();
    };
  }, [clock, env, settings, writeTerminal, notices, session]);
}

/** Returns true if the bell is on, also if the preferences cannot be read. */
function isBellOn(settings: { preferences(): { readonly watchBell: boolean } }): boolean {
  try {
    return settings.preferences().watchBell;
  } catch {
    return true;
  }
}

function finalWords(ended: readonly Ended[]): string {
  const badFirst = ended.toSorted((a, b) => rank(a) - rank(b));
  const names = badFirst.slice(0, maxNamed).map(endWords);
  const more =
    ended.length > maxNamed ? ` and ${plural(ended.length - maxNamed, "more", "more")}` : "";
  return `Watch: ${names.join(", ")}${more}`;
}

function endWords({ watched, failed }: Ended): string {
  const { kind, supplier, number, finality, timeline } = watched;
  if (failed !== null) return `${supplier}/${failed} of ${number} failed`;
  const state = latestState(timeline) ?? "";
  if (kind === "cohort") return `${subjectName(watched)} has ended, ${state}`;
  const ending = finality === "reached" ? "" : "ended as ";
  return `${supplier}/${number} ${ending}${state === notFound ? "NOT FOUND" : state}`;
}

function rank({ watched, failed }: Ended): number {
  return failed === null && watched.finality === "reached" ? 1 : 0;
}
