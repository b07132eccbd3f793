/** Shows the progress of sending a form, and its outcome. */
import { useEffect, useMemo } from "react";
import { Body } from "../../components/body.tsx";
import { DocumentBuilder } from "../../components/document.tsx";
import { Text } from "../../components/text.tsx";
import { useApp, useHere } from "../../hooks/app.tsx";
import { useEntries } from "../../hooks/journal.ts";
import { useKeys } from "../../hooks/keys.tsx";
import { useNow } from "../../hooks/now.ts";
import { useActive, useRoom } from "../../hooks/window.tsx";
import type { KeyWords } from "../../keys/keymap.ts";
import type { Actions } from "../../keys/scopes.ts";
import type { App } from "../../session/app.ts";
import { failureWords } from "../../session/entry-actions.ts";
import { onProfile } from "../../session/gate.ts";
import type { Plan } from "../../session/plan.ts";
import { showWriteAsCommand } from "../../session/show-as-command.ts";
import type { Submission } from "../../session/submit.ts";
import { skipWait } from "../../session/tasks.ts";
import type { ActivityDetail } from "../../writes/activity-detail.ts";
import type { Item } from "../../writes/kinds/kind.ts";
import { isSkippable, type WriteResult } from "../../writes/send/events.ts";
import { writeWords } from "../../writes/words/contents.ts";
import { stopWords } from "../../writes/words/events.ts";
import { meaningWords } from "../../writes/words/outcomes.ts";
import { addHistory, addProgress, addResult } from "./result-lines.ts";
import { TitledDocument } from "./review.tsx";
import { errorContextOf } from "./review-facts.ts";

/** Shows an entry while it is sent, and then its outcome. */
export function ResultView(props: {
  readonly draft: string;
  readonly plan: Plan;
  readonly submission: Submission;
}) {
  const { draft, plan, submission } = props;
  const { prepared } = plan;
  const here = useHere();
  const { session } = here;
  const { navigation, overlays, notices, key } = here.app;
  const { columns } = useRoom();
  const now = useNow();
  const isRunning = submission.kind === "recording" || submission.kind === "sending";
  const ended = submission.kind === "ended" ? submission : null;
  const isConfirmed = ended?.results.at(-1)?.outcome === "confirmed";
  const ids = useMemo(() => ended?.results.map(({ journalId }) => journalId) ?? [], [ended]);
  const entries = useEntries(ids);
  const result = useMemo(() => {
    if (ended === null) return null;
    const [first, ...others] = ended.results;
    return combined(plan, [
      withCurrentOutcome(first, entries[0]),
      ...others.map((other, at) => withCurrentOutcome(other, entries[at + 1])),
    ]);
  }, [plan, ended, entries]);
  const leave = () => leaveReview(here.app, draft);
  useFollowCreated(plan, isConfirmed, leave);
  const toForm = { run: navigation.back, label: "to the form" };
  const endedActions = ({ outcome, journalId, response }: WriteResult): Actions => {
    const isBackInForm = outcome === "rejected" || outcome === "unsent";
    const isOpen = outcome === "unknown" || outcome === "retryable";
    const exit = isBackInForm ? toForm : { run: leave, label: "done" };
    const title = `entry ${journalId}`;
    const toEntry = () => navigation.push({ kind: "write", id: String(journalId) });
    const showResponse = (raw: string) => overlays.open({ kind: "raw", title, raw });
    return {
      back: exit,
      open: isOpen ? { run: toEntry, label: title } : exit,
      ...(response === null ? {} : { raw: () => showResponse(response) }),
    };
  };
  const actions = ((): Actions => {
    switch (submission.kind) {
      case "recording":
        return { back: { run: () => {}, disabled: footerWords(submission, key) } };
      case "sending": {
        const { journalId, events } = submission;
        const leaveRunning = () => {
          leave();
          const words = `Entry ${journalId} is still being sent; ${key("activity")} shows it.`;
          notices.show(words, "busy");
        };
        return {
          ...(isSkippable(events.at(-1))
            ? { "cut-short": () => skipWait(session.tasks, journalId) }
            : {}),
          back: { run: leaveRunning, label: "leave it running" },
        };
      }
      case "failed":
        return { back: toForm, open: toForm };
      case "ended":
        return result === null ? {} : endedActions(result);
    }
  })();
  const quitWords = `An entry is being sent: ${key("cancel")} stops it first.`;
  useKeys({
    ...actions,
    ...(isRunning ? { quit: { run: () => {}, disabled: quitWords } } : {}),
    "as-command": () => showWriteAsCommand(here, plan),
  });
  const context = useMemo(() => errorContextOf(prepared, session), [prepared, session]);
  const lines = useMemo(() => {
    const page = new DocumentBuilder(columns);
    if (submission.kind === "sending") addProgress(page, submission.events, now, key);
    if (ended === null || result === null) return page.lines;
    const { events, failure } = ended;
    if (failure !== null) page.addText(failureWords(failure.error, context.doing), { tone: "bad" });
    const changed = ended.results.flatMap((each, at) => changedWords(each, entries[at]) ?? []);
    for (const words of changed) page.addText(words);
    addResult(page, result, plan, context, key);
    page.addText("");
    addHistory(page, events, now);
    return page.lines;
  }, [submission, ended, entries, result, plan, context, now, columns, key]);
  const footer = footerWords(submission, key);
  return (
    <Body>
      <TitledDocument
        title={`${writeWords(prepared)}, ${onProfile(session)}`}
        status={isRunning ? <Text tone="busy">Sending…</Text> : undefined}
        lines={lines}
        below={footer === "" ? 0 : 1}
        tail={isRunning}
        failed={
          submission.kind === "failed" ? { error: submission.error, doing: context.doing } : null
        }
      />
      {footer === "" ? null : <Text tone="muted">{footer}</Text>}
    </Body>
  );
}

/**
 * Returns the result with the current outcome of its journal entry, which was verified, closed or
 * sent again.
 */
function withCurrentOutcome(result: WriteResult, entry: ActivityDetail | undefined): WriteResult {
  // During a verification or a resend, the earlier outcome stays valid.
  if (entry === undefined || entry.outcome === "sending" || entry.outcome === result.outcome)
    return result;
  return {
    ...result,
    outcome: entry.outcome,
    reason: entry.reason ?? result.reason,
    mayHaveTakenEffect: entry.doubt !== "none",
    items: entry.items,
    attempts: entry.attempts.length,
    httpStatus: entry.http_status,
    code: entry.code,
    response: entry.attempts.at(-1)?.response ?? null,
    error: null,
    journalError: null,
  };
}

/** Combines the results of several requests: the outcome of the last one, with the items of all. */
function combined(plan: Plan, results: readonly [WriteResult, ...WriteResult[]]): WriteResult {
  const last = results.at(-1) ?? results[0];
  if (!plan.split) return last;
  const { labels } = plan.prepared.facts;
  const ended = results.flatMap(({ items }, position) =>
    items.map((item): Item => ({ ...item, position })),
  );
  const notReached = labels.slice(results.length).map(
    (label, at): Item => ({
      position: results.length + at,
      label,
      outcome: "not-reached",
      status: null,
    }),
  );
  const items = [...ended, ...notReached];
  // A form that was stopped between two requests is only partly confirmed.
  if (notReached.length === 0 || last.outcome !== "confirmed") return { ...last, items };
  return { ...last, outcome: "unsent", reason: "cancelled", items };
}

/** Returns a sentence about an outcome that has changed since the result, or null if it has not. */
function changedWords(result: WriteResult, entry: ActivityDetail | undefined): string | null {
  if (entry === undefined || withCurrentOutcome(result, entry) === result) return null;
  return `Then ${result.outcome}, now ${entry.outcome}. ${meaningWords(entry)}`;
}

/** Closes the review, and the form of its draft if that is the screen below. */
function leaveReview({ navigation }: App, draft: string): void {
  const below = navigation.stops.get().at(-2)?.place;
  navigation.back();
  if (below?.kind === "compose" && below.draft === draft) navigation.back();
}

/** Returns the line below the document, or an empty text if there is none. */
function footerWords(submission: Submission, key: KeyWords): string {
  switch (submission.kind) {
    case "recording":
      return "Saving to the journal; nothing has been sent yet.";
    case "sending":
      return stopWords(submission.sent, key("cancel"));
    case "failed":
      return "Nothing was sent. The draft is saved.";
    case "ended":
      return "";
  }
}

/** Opens the screen of a supply point after it was created, to follow it there (INTERFACE 4.7). */
function useFollowCreated(plan: Plan, created: boolean, leave: () => void): void {
  const { navigation } = useApp();
  const active = useActive();
  const { target } = plan.prepared.facts;
  // biome-ignore lint/correctness/useExhaustiveDependencies: this runs once, after the creation
  useEffect(() => {
    if (!created || !active || target.kind !== "supply-point") return;
    leave();
    navigation.push({
      kind: "supply-point",
      supplier: target.importSupplier,
      identifier: target.externalIdentifier,
    });
  }, [created, active]);
}
