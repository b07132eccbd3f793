/** The review of a form for one account: its requests before it is sent, then its outcome. */

import { useCallback, useMemo, useState } from "react";
import { isAppError } from "../../errors/app-error.ts";
import { errorWords, oneLine } from "../../errors/error-words.ts";
import { useHere, useSession } from "../../hooks/app.tsx";
import { useStore } from "../../hooks/context.ts";
import { useKeysWaitForJournal } from "../../hooks/in-flight.tsx";
import { type Reading, useReading } from "../../hooks/reading.ts";
import { type Plan, planOf } from "../../session/plan.ts";
import { showWriteAsCommand } from "../../session/show-as-command.ts";
import { submissionOf, submitDraft } from "../../session/submit.ts";
import { askAboutAll, sameIdsOf } from "../../writes/guard.ts";
import { newWriteDoubt } from "../../writes/older-journal.ts";
import type { Writes } from "../../writes/open-writes.ts";
import type { PreparedWrite } from "../../writes/prepare.ts";
import { refuseTeam } from "../../writes/refuse-team.ts";
import { askTeam } from "../../writes/team/ask.ts";
import { writeWords } from "../../writes/words/contents.ts";
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
  const latest = useStore(tasks.forms.all).get(id) ?? null;
  // A send that had ended before the review opened is not shown here.
  const [earlier] = useState(() => (latest?.kind === "running" ? null : latest));
  const submission = useMemo(
    () => (latest === null || latest === earlier ? null : submissionOf(latest)),
    [latest, earlier],
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

ReviewScreen.help = {
  name: "Review",
  about: [
    "The exact request, byte for byte. A separate key sends it, never Enter. On production you type the account number first.",
    "A supply point is validated first, then created.",
  ],
  words: ["account-state", "outcome"],
} as const;

interface FormReviewProps {
  readonly draft: string;
  readonly plan: Plan;
  readonly choose: (option: string, on: boolean) => void;
  readonly chooseSplit: (split: boolean) => void;
  readonly validation?: Validation;
}

function SupplyPointReview(props: FormReviewProps) {
  return <FormReview {...props} validation={useValidation(props.draft, props.plan)} />;
}

function FormReview(props: FormReviewProps) {
  const { draft, plan, validation } = props;
  const { prepared, parts, split } = plan;
  const here = useHere();
  const { session } = here;
  const { key } = here.app;
  const journal = useGuardFacts(prepared, parts);
  const guard = journal.kind === "read" ? journal.value : noGuardFacts;
  const findings = validation?.findings ?? noFindings;
  const facts = useMemo(
    () => formFacts(plan, guard, findings, session.baseUrl, key),
    [plan, guard, findings, session, key],
  );
  const toSend = formToSend(plan, guard);
  return (
    <Review
      title={writeWords(prepared)}
      facts={facts}
      obstacle={journalObstacle(journal)}
      requiredAction={validation?.requiredAction ?? null}
      sendNote={sendWords(toSend, session, "it", key) ?? validation?.ready ?? null}
      sendLabel={validation === undefined ? "send" : "create"}
      toSend={toSend}
      onSend={(override) => submitDraft(here, draft, plan, override)}
      choices={[
        ...queryChoices(plan.form, prepared.query, props.choose),
        ...(split === null ? [] : [splitChoice(split, props.chooseSplit)]),
      ]}
      keys={{ ...validation?.keys, "as-command": () => showWriteAsCommand(here, plan) }}
    />
  );
}

const noFindings: Validation["findings"] = [];

/** The findings of the duplicate guard before the journal is open. Nothing is sent until then. */
const noGuardFacts: GuardFacts = {
  finding: { kind: "clear" },
  sameIds: null,
  older: null,
  team: null,
};

function useGuardFacts(write: PreparedWrite, parts: readonly PreparedWrite[]): Reading<GuardFacts> {
  const session = useSession();
  const facts = useReading(
    useCallback(
      async () => guardFactsOf(await session.writes(), write, parts),
      [session, write, parts],
    ),
  );
  useKeysWaitForJournal(facts.kind === "reading");
  return facts;
}

/**
 * Returns the findings of the duplicate guard and of the team's ledger about a write and its parts. Of
 * equally severe findings, that of the whole write is returned, because it describes the items best.
 * Rejects with a journal error, or with a team error if nothing could be sent.
 */
async function guardFactsOf(
  { context }: Writes,
  write: PreparedWrite,
  parts: readonly PreparedWrite[],
): Promise<GuardFacts> {
  const { baseUrl } = context.service;
  refuseTeam(context);
  const [team = null] = await askTeam(context, [{ write, id: null }]);
  return context.journal.read((rows) => ({
    older: newWriteDoubt(context.journal, write)?.message ?? null,
    finding: askAboutAll(rows, baseUrl, [...new Set([write, ...parts])]),
    sameIds: sameIdWords(sameIdsOf(rows, { baseUrl, write }), write.facts.labels),
    team,
  }));
}

/** Returns the reason why nothing can be sent with or without the journal, or null if there is none. */
function journalObstacle(state: Reading<GuardFacts>): string | null {
  switch (state.kind) {
    case "read":
      return state.value.older;
    // The form is not sent automatically when the journal opens, because the guard might bar it.
    case "reading":
      return "Opening the journal; nothing is sent before it is open…";
    case "failed": {
      const { error } = state;
      if (isAppError(error, "team"))
        return `Nothing can be sent: ${oneLine(errorWords(error, { doing: "asking the team" }))}`;
      const words = { ...errorWords(error, { doing: "opening the journal" }), remedy: null };
      return `Nothing can be sent without a journal: ${oneLine(words)}`;
    }
  }
}
