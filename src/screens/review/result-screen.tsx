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
import { placeWords } from "../../session/gate.ts";
import type { Plan } from "../../session/plan.ts";
import { showWriteAsCommand } from "../../session/show-as-command.ts";
import type { Submission } from "../../session/submit.ts";
import { skipWait } from "../../session/tasks.ts";
import type { ActivityDetail } from "../../writes/activity-detail.ts";
import type { Item } from "../../writes/kinds/kind.ts";
import { isSkippable, type WriteResult } from "../../writes/send/events.ts";
import { describeRequests } from "../../writes/words/contents.ts";
import { stopWords } from "../../writes/words/events.ts";
import { meaningWords } from "../../writes/words/outcomes.ts";
import { addHistory, addProgress, addResult } from "./result-lines.ts";
import { TitledDocument } from "./review.tsx";
import { contextOf } from "./review-facts.ts";

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
  const underWay = submission.kind === "recording" || submission.kind === "sending";
  const ended = submission.kind === "ended" ? submission : null;
  const isConfirmed = ended?.results.at(-1)?.outcome === "confirmed";
  const ids = useMemo(() => ended?.results.map(({ journalId }) => journalId) ?? [], [ended]);
  const entries = useEntries(ids);
  const result = useMemo(() => {
    if (ended === null) return null;
    const [first, ...others] = ended.results;
    return combined(plan, [
      asRecorded(first, entries[0]),
      ...others.map((one, at) => asRecorded(one, entries[at + 1])),
    ]);
  }, [plan, ended, entries]);
  const leave = () => leaveReview(here.app, draft);
  useFollowCreated(plan, isConfirmed, leave);
  const toForm = { run: navigation.back, label: "to the form" };
  const endedActions = ({ outcome, journalId, response }: WriteResult): Actions => {
    const isBackInForm = outcome === "rejected" || outcome === "unsent";
    const isOpen = outcome === "unknown" || outcome === "retryable";
    const out = isBackInForm ? toForm : { run: leave, label: "done" };
    const title = `entry ${journalId}`;
    const toEntry = () => navigation.push({ kind: "write", id: String(journalId) });
    const showResponse = (raw: string) => overlays.open({ kind: "raw", title, raw });
    return {
      back: out,
      open: isOpen ? { run: toEntry, label: title } : out,
      ...(response === null ? {} : { raw: () => showResponse(response) }),
    };
  };
  const actions = ((): Actions => {
    switch (submission.kind) {
      case "recording":
        return { back: { run: () => {}, disabled: footWords(submission, key) } };
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
    ...(underWay ? { quit: { run: () => {}, disabled: quitWords } } : {}),
    "as-command": () => showWriteAsCommand(here, plan),
  });
  const context = useMemo(() => contextOf(prepared, session), [prepared, session]);
  const lines = useMemo(() => {
    const page = new DocumentBuilder(columns);
    if (submission.kind === "sending") addProgress(page, submission.events, now, key);
    if (ended === null || result === null) return page.lines;
    const { events, failure } = ended;
    if (failure !== null) page.addText(failureWords(failure.error, context.doing), { tone: "bad" });
    const changed = ended.results.flatMap((one, at) => changedWords(one, entries[at]) ?? []);
    for (const words of changed) page.addText(words);
    addResult(page, result, plan, context, key);
    page.addText("");
    addHistory(page, events, now);
    return page.lines;
  }, [submission, ended, entries, result, plan, context, now, columns, key]);
  const foot = footWords(submission, key);
  return (
    <Body>
      <TitledDocument
        title={`${describeRequests(prepared)}, ${placeWords(session)}`}
        status={underWay ? <Text tone="busy">Sending…</Text> : undefined}
        lines={lines}
        below={foot === "" ? 0 : 1}
        tail={underWay}
        failed={
          submission.kind === "failed" ? { error: submission.error, doing: context.doing } : null
        }
      />
      {foot === "" ? null : <Text tone="muted">{foot}</Text>}
    </Body>
  );
}

/**
 * Returns the result with the current outcome of its journal entry, which was verified, closed or
 * sent again.
 */
function asRecorded(result: WriteResult, now: ActivityDetail | undefined): WriteResult {
  // During a verification or a resend, the earlier outcome stays valid.
  if (now === undefined || now.outcome === "sending" || now.outcome === result.outcome)
    return result;
  return {
    ...result,
    outcome: now.outcome,
    reason: now.reason ?? result.reason,
    mayHaveTakenEffect: now.doubt !== "none",
    items: now.items,
    attempts: now.attempts.length,
    httpStatus: now.http_status,
    code: now.code,
    response: now.attempts.at(-1)?.response ?? null,
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
  const left = labels.slice(results.length).map(
    (label, at): Item => ({
      position: results.length + at,
      label,
      outcome: "not-reached",
      status: null,
    }),
  );
  const items = [...ended, ...left];
  // A form that was stopped between two requests is only partly confirmed.
  if (left.length === 0 || last.outcome !== "confirmed") return { ...last, items };
  return { ...last, outcome: "unsent", reason: "cancelled", items };
}

/** Returns a sentence about an outcome that has changed since the result, or null if it has not. */
function changedWords(result: WriteResult, now: ActivityDetail | undefined): string | null {
  if (now === undefined || asRecorded(result, now) === result) return null;
  return `Then ${result.outcome}, now ${now.outcome}. ${meaningWords(now)}`;
}

/** Closes the review and the form below it. */
function leaveReview({ navigation }: App, draft: string): void {
  const below = navigation.stops.get().at(-2)?.place;
  navigation.back();
  if (below?.kind === "compose" && below.draft === draft) navigation.back();
}

function footWords(submission: Submission, key: KeyWords): string {
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
