/** The review of one form: its requests, issues and validation, before it is sent. */
import { useEffect, useMemo, useState } from "react";
import { isServiceError } from "../../api/errors.ts";
import { errorWords, oneLine } from "../../errors/error-words.ts";
import { useHere, useSession } from "../../hooks/app.tsx";
import { useKeysWaitForJournal } from "../../hooks/in-flight.tsx";
import type { ConsoleSend } from "../../session/gate.ts";
import type { Choice } from "../../session/overlays.ts";
import { numberOf, type Plan, refusalsOf } from "../../session/plan.ts";
import { showWriteAsCommand } from "../../session/show-as-command.ts";
import { submitDraft } from "../../session/submit.ts";
import { askGuard, barOf, type GuardFinding, mostSevere, sameIdsOf } from "../../writes/guard.ts";
import type { Writes } from "../../writes/open-writes.ts";
import type { PreparedWrite } from "../../writes/prepare.ts";
import { Contents, describeRequests } from "../../writes/words/contents.ts";
import { barWords, sameIdWords } from "../../writes/words/guard.ts";
import { Review } from "./review.tsx";
import type { ReviewFacts } from "./review-lines.ts";
import { useSubmitValidation, validationLine, validationWords } from "./validation.ts";
import { contextOf, findingWords, queryChoices, sendWords } from "./words.ts";

/** The findings before the journal is open. Nothing is sent until then. */
const unasked = { finding: { kind: "clear" }, sameIds: null } as const;

/** Shows the requests of one form before they are sent. */
export function FormReview(props: {
  readonly draft: string;
  readonly plan: Plan;
  readonly choose: (option: string, on: boolean) => void;
  readonly chooseSplit: (split: boolean) => void;
  readonly onSend: () => void;
}) {
  const { draft, plan, choose, chooseSplit, onSend } = props;
  const { prepared, parts, split } = plan;
  const here = useHere();
  const { session } = here;
  const { formDrafts, overlays, key, navigation } = here.app;
  const journal = useJournalReady(prepared, parts);
  const { finding, sameIds } = journal.kind === "ready" ? journal : unasked;
  const { state: validation, validate } = useSubmitValidation(prepared.body);
  const isSupplyPoint = prepared.operation === "supply-points create";
  const facts = useMemo(
    (): ReviewFacts => ({
      form: plan.form,
      baseUrl: session.baseUrl,
      before: [
        ...findingWords(finding, key),
        ...(sameIds === null ? [] : [{ words: sameIds, look: { tone: "waiting" } as const }]),
        ...validationWords(validation, plan, contextOf(prepared, session)),
      ],
      warnings: plan.warnings,
      write: prepared,
      requests: [{ heading: null, parts }],
      run: null,
      split,
    }),
    [plan, split, parts, session, prepared, finding, sameIds, validation, key],
  );
  const toSend = toSendOf(plan, finding);
  const busy =
    validation.kind === "asking" ? `The service is validating it; ${key("cancel")} cancels.` : null;
  const validated = isSupplyPoint ? validationLine(validation, key) : null;
  const runValidation = () =>
    validate((error) => {
      const saved = formDrafts.find(draft);
      if (!saved || !isServiceError(error, "rejected")) return;
      const refusals = refusalsOf(plan, error);
      formDrafts.save({ ...saved, refusals });
    });
  const showValidation = (raw: string) => overlays.open({ kind: "raw", title: "validation", raw });
  return (
    <Review
      title={describeRequests(prepared)}
      facts={facts}
      obstacle={journalWords(journal)}
      first={
        isSupplyPoint && validation.kind !== "passed"
          ? {
              action: { run: runValidation, disabled: busy, label: "validate first" },
              words: validated,
            }
          : null
      }
      ready={sendWords(toSend, session, "it", key) ?? validated}
      sendLabel={isSupplyPoint ? "create" : "send"}
      toSend={toSend}
      onSend={(again) => {
        onSend();
        submitDraft(here, { draft, plan, again });
      }}
      choices={[
        ...queryChoices(plan.form, prepared.query, choose),
        ...(split !== null ? [splitChoice(split, chooseSplit)] : []),
      ]}
      keys={{
        ...(validation.kind === "failed" && isServiceError(validation.error, "rejected")
          ? { open: { run: navigation.back, label: "to the form" } }
          : {}),
        ...(isSupplyPoint
          ? { verify: { run: runValidation, disabled: busy, label: "validate" } }
          : {}),
        ...(validation.kind === "passed" ? { raw: () => showValidation(validation.raw) } : {}),
        "as-command": () => showWriteAsCommand(here, plan),
      }}
    />
  );
}

/** Returns the facts of a form for the confirmation before it is sent. */
function toSendOf(plan: Plan, finding: GuardFinding): ConsoleSend {
  const { prepared } = plan;
  const { operation, facts } = prepared;
  const bar = barOf(finding);
  const contents = new Contents(operation);
  contents.add(facts.items);
  return {
    operation,
    inDoubt: bar !== null,
    doing: `Send ${describeRequests(prepared)}`,
    detail: bar === null ? null : barWords(bar),
    yes: contents.amount === null ? "Yes, send it" : `Yes, send ${contents.amount}`,
    target: numberOf(facts.target),
    rows: 1,
    sum: contents.sum,
    reason:
      bar === null
        ? null
        : { hint: "Why you send it anyway; saved to the journal.", without: null },
  };
}

function splitChoice(split: boolean, choose: (split: boolean) => void): Choice {
  return {
    label: `One transaction per request: ${split ? "no" : "yes"}`,
    hint: `now ${split ? "yes" : "no"}`,
    run: () => choose(!split),
  };
}

/** The state of the journal, and its findings about this write. */
type JournalReady =
  | { readonly kind: "opening" }
  | {
      readonly kind: "ready";
      readonly finding: GuardFinding;
      /**
       * A sentence about IDs that were used before with other content, or null if there are none.
       */
      readonly sameIds: string | null;
    }
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
      .then((writes): JournalReady => ({ kind: "ready", ...askedAbout(writes, write, parts) }))
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
function askedAbout({ context }: Writes, write: PreparedWrite, parts: readonly PreparedWrite[]) {
  const { baseUrl } = context.service;
  return context.journal.read((rows) => ({
    finding: mostSevere(
      [...new Set([write, ...parts])].map((one) => askGuard(rows, { baseUrl, write: one }, null)),
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
