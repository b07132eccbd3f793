/** The review of a form for one account: its requests before it is sent, then its outcome. */
import { useEffect, useMemo, useState } from "react";
import { errorWords, oneLine } from "../../errors/error-words.ts";
import { useHere, useSession } from "../../hooks/app.tsx";
import { useStore } from "../../hooks/context.ts";
import { useKeysWaitForJournal } from "../../hooks/in-flight.tsx";
import { type Plan, planOf } from "../../session/plan.ts";
import { showWriteAsCommand } from "../../session/show-as-command.ts";
import { submissionOf, submitDraft } from "../../session/submit.ts";
import { askGuard, mostSevere, sameIdsOf } from "../../writes/guard.ts";
import type { Writes } from "../../writes/open-writes.ts";
import type { PreparedWrite } from "../../writes/prepare.ts";
import { describeRequests } from "../../writes/words/contents.ts";
import { sameIdWords } from "../../writes/words/guard.ts";
import { ResultView } from "./result-screen.tsx";
import { NotReviewable, Review, useReviewedDraft } from "./review.tsx";
import {
  formFacts,
  formToSend,
  type GuardFacts,
  queryChoices,
  sendWords,
  splitChoice,
} from "./review-facts.ts";
import { useValidation, type Validation } from "./validation.ts";

/**
 * Shows the requests of a draft, then the progress of sending them and the outcome (INTERFACE
 * 4.1–4.6).
 */
export function ReviewScreen({ draft: id }: { readonly draft: string }) {
  const { tasks } = useSession();
  const entries = useStore(tasks.entries.all);
  const latest = useStore(tasks.forms.all).get(id) ?? null;
  // The result of an earlier sending of this draft is shown on another screen.
  const [earlier] = useState(() => (latest?.kind === "running" ? null : latest));
  const submission = useMemo(
    () => (latest === null || latest === earlier ? null : submissionOf(latest, entries)),
    [latest, earlier, entries],
  );
  const { draft, typedAt, choose } = useReviewedDraft(id);
  const [split, chooseSplit] = useState(false);
  const planned = useMemo(
    () => (draft === null ? null : planOf(draft, typedAt, split)),
    [draft, typedAt, split],
  );
  if (planned?.kind !== "plan") return <NotReviewable planned={planned} />;
  const { plan } = planned;
  if (submission !== null) return <ResultView draft={id} plan={plan} submission={submission} />;
  const isSupplyPoint = plan.prepared.operation === "supply-points create";
  const Shown = isSupplyPoint ? SupplyPointReview : FormReview;
  return <Shown draft={id} plan={plan} choose={choose} chooseSplit={chooseSplit} />;
}

interface FormReviewProps {
  readonly draft: string;
  readonly plan: Plan;
  readonly choose: (option: string, on: boolean) => void;
  readonly chooseSplit: (split: boolean) => void;
  /** The validation that precedes the send. Default: none. */
  readonly validation?: Validation;
}

/** Shows the requests of a supply point, which the service validates before it is created. */
function SupplyPointReview(props: FormReviewProps) {
  return <FormReview {...props} validation={useValidation(props.draft, props.plan)} />;
}

/** Shows the requests of one form before they are sent. */
function FormReview(props: FormReviewProps) {
  const { draft, plan, validation } = props;
  const { prepared, parts, split } = plan;
  const here = useHere();
  const { session } = here;
  const { key } = here.app;
  const journal = useJournalReady(prepared, parts);
  const guard = journal.kind === "ready" ? journal.guard : unasked;
  const findings = validation?.findings ?? none;
  const facts = useMemo(
    () => formFacts(plan, guard, findings, session.baseUrl, key),
    [plan, guard, findings, session, key],
  );
  const toSend = formToSend(plan, guard.finding);
  return (
    <Review
      title={describeRequests(prepared)}
      facts={facts}
      obstacle={journalWords(journal)}
      first={validation?.first ?? null}
      ready={sendWords(toSend, session, "it", key) ?? validation?.ready ?? null}
      sendLabel={validation === undefined ? "send" : "create"}
      toSend={toSend}
      onSend={(again) => submitDraft(here, draft, plan, again)}
      choices={[
        ...queryChoices(plan.form, prepared.query, props.choose),
        ...(split === null ? [] : [splitChoice(split, props.chooseSplit)]),
      ]}
      keys={{ ...validation?.keys, "as-command": () => showWriteAsCommand(here, plan) }}
    />
  );
}

const none: Validation["findings"] = [];

/** The findings before the journal is open. Nothing is sent until then. */
const unasked: GuardFacts = { finding: { kind: "clear" }, sameIds: null };

/** The state of the journal, and its findings about this write. */
type JournalReady =
  | { readonly kind: "opening" }
  | { readonly kind: "ready"; readonly guard: GuardFacts }
  | { readonly kind: "failed"; readonly error: unknown };

/** Opens the journal, and searches it for earlier entries with the content of a write. */
function useJournalReady(write: PreparedWrite, parts: readonly PreparedWrite[]): JournalReady {
  const session = useSession();
  const [ready, setReady] = useState<JournalReady>({ kind: "opening" });
  useKeysWaitForJournal(ready.kind === "opening");
  useEffect(() => {
    let left = false;
    void session
      .writes()
      .then((writes): JournalReady => ({ kind: "ready", guard: askedAbout(writes, write, parts) }))
      .catch((error: unknown): JournalReady => ({ kind: "failed", error }))
      .then((next) => {
        if (!left) setReady(next);
      });
    return () => {
      left = true;
    };
  }, [session, write, parts]);
  return ready;
}

/**
 * Asks the duplicate guard about a write and its parts. The whole write comes first, because it
 * describes its items best. Throws a journal error.
 */
function askedAbout(
  { context }: Writes,
  write: PreparedWrite,
  parts: readonly PreparedWrite[],
): GuardFacts {
  const { baseUrl } = context.service;
  return context.journal.read((rows) => ({
    finding: mostSevere(
      [...new Set([write, ...parts])].map((one) => askGuard(rows, { baseUrl, write: one })),
    ),
    sameIds: sameIdWords(sameIdsOf(rows, { baseUrl, write }), write.facts.labels),
  }));
}

/** Returns the reason why nothing can be sent without a journal, or null if it is open. */
function journalWords(ready: JournalReady): string | null {
  switch (ready.kind) {
    case "ready":
      return null;
    // It is not sent automatically afterwards, because the journal might have a reason against it.
    case "opening":
      return "Opening the journal; nothing is sent before it is open…";
    case "failed": {
      const { error } = ready;
      const words = { ...errorWords(error, { doing: "opening the journal" }), remedy: null };
      return `Nothing can be sent without a journal: ${oneLine(words)}`;
    }
  }
}
