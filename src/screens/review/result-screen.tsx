/** Shows the progress of sending a form, and then its journal entry. */
import { useEffect, useMemo } from "react";
import { Body } from "../../components/body.tsx";
import { DocumentBuilder, type DocumentLine } from "../../components/document.tsx";
import { EntryRecord, useRecordKeys } from "../../components/entry-record.tsx";
import { JournalMissing, JournalProblem } from "../../components/journal-problem.tsx";
import { Text } from "../../components/text.tsx";
import type { ErrorContext } from "../../errors/app-error.ts";
import { rejectionRemedy } from "../../errors/rejection-remedy.ts";
import { atPlace } from "../../forms/payload-places.ts";
import { useApp, useHere } from "../../hooks/app.tsx";
import { useEntry } from "../../hooks/journal.ts";
import { useKeys } from "../../hooks/keys.tsx";
import { useActive, useRoom } from "../../hooks/window.tsx";
import type { KeyWords } from "../../keys/keymap.ts";
import type { App, Here } from "../../session/app.ts";
import { failureWords } from "../../session/entry-actions.ts";
import { onProfile } from "../../session/gate.ts";
import { type Plan, refusalsOfResult } from "../../session/plan.ts";
import { showWriteAsCommand } from "../../session/show-as-command.ts";
import { confirmedFirst, type Submission } from "../../session/submit.ts";
import type { FormEnd } from "../../session/tasks.ts";
import { writeWords } from "../../writes/words/contents.ts";
import { causeWords } from "../../writes/words/outcomes.ts";
import { errorContextOf } from "./review-facts.ts";

interface ResultProps<Shown extends Submission> {
  readonly draft: string;
  readonly plan: Plan;
  readonly submission: Shown;
}

type Recorded = Extract<Submission, { readonly kind: "sending" | "ended" }>;

export function ResultView({ submission, ...form }: ResultProps<Submission>) {
  return submission.kind === "sending" || submission.kind === "ended" ? (
    <SentForm {...form} submission={submission} />
  ) : (
    <UnsentForm {...form} submission={submission} />
  );
}

function UnsentForm({ plan, submission }: ResultProps<Exclude<Submission, Recorded>>) {
  const here = useHere();
  const { navigation, key } = here.app;
  const toForm = { run: navigation.back, label: "to the form" };
  const isRecording = submission.kind === "recording";
  const words = isRecording
    ? "Saving to the journal; nothing has been sent yet."
    : "Nothing was sent. The draft is saved.";
  useKeys({
    ...(isRecording
      ? { back: { run: () => {}, disabled: words }, quit: noQuit(key) }
      : { back: toForm, open: toForm }),
    "as-command": () => showWriteAsCommand(here, plan),
  });
  return (
    <Body>
      <Text bold>{titleOf(plan, here)}</Text>
      {isRecording ? null : (
        <JournalProblem
          error={submission.error}
          doing={errorContextOf(plan.prepared, here.session).doing}
        />
      )}
      <Text tone="muted">{words}</Text>
    </Body>
  );
}

function titleOf({ prepared }: Plan, { session }: Here): string {
  return `${writeWords(prepared)}, ${onProfile(session)}`;
}

function noQuit(key: KeyWords) {
  return { run: () => {}, disabled: `An entry is being sent: ${key("cancel")} stops it first.` };
}

function SentForm({ draft, plan, submission }: ResultProps<Recorded>) {
  const here = useHere();
  const { navigation, notices, key } = here.app;
  const { columns } = useRoom();
  const ended = submission.kind === "ended" ? submission : null;
  const last = ended?.results.at(-1) ?? null;
  const id = submission.kind === "ended" ? submission.results[0].journalId : submission.journalId;
  const entry = last?.journalId ?? id;
  const { view } = useEntry(entry);
  const value = view.kind === "read" ? view.value : null;
  const outcome = value?.detail.outcome ?? last?.outcome;
  const leave = () => leaveReview(here.app, draft);
  useFollowCreated(plan, ended !== null && outcome === "confirmed", leave);
  useRecordKeys(entry, value);
  const leaveRunning = () => {
    leave();
    notices.show(`Entry ${entry} is still being sent; ${key("activity")} shows it.`, "busy");
  };
  const exit =
    outcome === "rejected" || outcome === "unsent"
      ? { run: navigation.back, label: "to the form" }
      : { run: leave, label: "done" };
  useKeys(
    ended === null
      ? { back: { run: leaveRunning, label: "leave it running" }, quit: noQuit(key) }
      : { back: exit, open: exit },
  );
  const context = useMemo(() => errorContextOf(plan.prepared, here.session), [plan, here.session]);
  const above = useMemo(
    () => (ended === null ? [] : formLines(plan, ended, context, columns)),
    [plan, ended, context, columns],
  );
  if (value === null) return <JournalMissing view={view} doing={`reading entry ${entry}`} />;
  return (
    <EntryRecord
      view={value}
      title={titleOf(plan, here)}
      above={outcome === last?.outcome ? above : []}
    />
  );
}

function formLines(
  plan: Plan,
  { results, failure }: FormEnd,
  context: ErrorContext,
  columns: number,
): readonly DocumentLine[] {
  const page = new DocumentBuilder(columns);
  const last = results.at(-1) ?? results[0];
  const confirmed = confirmedFirst(results);
  const sent = results.filter(({ outcome }) => outcome !== "unsent").length;
  if (failure !== null) page.addText(failureWords(failure.error, context.doing), { tone: "bad" });
  if (last.journalError !== null)
    page.addText(
      `The service responded, but the response could not be saved to the journal: ${last.journalError.message} It counts as unknown.`,
    );
  const refusals = refusalsOfResult(plan, last, confirmed);
  for (const refusal of refusals) page.addText(atPlace(plan.form, refusal), { tone: "bad" });
  if (refusals.length === 0 && last.error !== null) page.addText(causeWords(last, context));
  const remedy = last.error === null ? null : rejectionRemedy(last.error, context);
  if (last.outcome === "rejected" && remedy !== null) page.addText(remedy);
  const { length } = plan.parts;
  if (plan.split && confirmed < length)
    page.addText(
      `${confirmed} of ${length} requests are confirmed and removed from the form; ${length - sent} were not sent.`,
    );
  return page.lines;
}

function leaveReview({ navigation }: App, draft: string): void {
  const below = navigation.stops.get().at(-2)?.place;
  navigation.back();
  if (below?.kind === "compose" && below.draft === draft) navigation.back();
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
