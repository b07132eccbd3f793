import { useMemo } from "react";
import { isServiceError } from "../../api/errors.ts";
import type { Sentence } from "../../components/document.tsx";
import type { ErrorContext } from "../../errors/app-error.ts";
import { errorWords } from "../../errors/error-words.ts";
import { atPlace } from "../../forms/places.ts";
import { useHere } from "../../hooks/app.tsx";
import type { KeyWords } from "../../keys/keymap.ts";
import type { ConsoleSend } from "../../session/gate.ts";
import type { Choice } from "../../session/overlays.ts";
import { canSplit, numberOf, type Plan, preparedOf, refusalsOf } from "../../session/plan.ts";
import { showWriteAsCommand } from "../../session/show-as-command.ts";
import { submitDraft } from "../../session/submit.ts";
import { plural } from "../../text/numbers.ts";
import { barOf, type GuardFinding } from "../../writes/guard.ts";
import { Contents, describeRequests } from "../../writes/words/contents.ts";
import { barWords } from "../../writes/words/guard.ts";
import { Review } from "./review.tsx";
import type { ReviewFacts } from "./review-lines.ts";
import {
  journalWords,
  useJournalReady,
  useSubmitValidation,
  type ValidationState,
} from "./submit.ts";
import { contextOf, findingWords, queryChoices, sendWords } from "./words.ts";

/** Until the journal is open; nothing is sent before. */
const unasked = { finding: { kind: "clear" }, sameIds: null } as const;

/** Shows the requests of one form before they are sent. */
export function FormReview(props: {
  readonly draft: string;
  readonly plan: Plan;
  readonly choose: (option: string, on: boolean) => void;
  /** True if each item is sent in a separate request. */
  readonly split: boolean;
  readonly chooseSplit: (split: boolean) => void;
  readonly onSend: () => void;
}) {
  const { draft, plan, choose, split, chooseSplit, onSend } = props;
  const { prepared } = plan;
  const here = useHere();
  const { session } = here;
  const { formDrafts, overlays, key, navigation } = here.app;
  const parts = useMemo(() => preparedOf(plan, split), [plan, split]);
  const journal = useJournalReady(prepared, parts);
  const { finding, sameIds } = journal.kind === "ready" ? journal : unasked;
  const { state: validation, validate } = useSubmitValidation(plan.request.body);
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
      split: canSplit(plan) ? split : null,
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
        submitDraft(here, { draft, plan, split, again });
      }}
      choices={[
        ...queryChoices(plan.form, prepared.query, choose),
        ...(canSplit(plan) ? [splitChoice(split, chooseSplit)] : []),
      ]}
      keys={{
        ...(validation.kind === "failed" && isServiceError(validation.error, "rejected")
          ? { open: { run: navigation.back, label: "to the form" } }
          : {}),
        ...(isSupplyPoint
          ? { verify: { run: runValidation, disabled: busy, label: "validate" } }
          : {}),
        ...(validation.kind === "passed" ? { raw: () => showValidation(validation.raw) } : {}),
        "as-command": () => showWriteAsCommand(here, plan, split),
      }}
    />
  );
}

/** Returns a form as the gate asks about it. */
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

/** Returns the findings of the service's validation in full. */
function validationWords(
  state: ValidationState,
  plan: Plan,
  context: ErrorContext,
): readonly Sentence[] {
  if (state.kind !== "failed") return [];
  const { error } = state;
  if (isServiceError(error, "rejected")) {
    const refusals = refusalsOf(plan, error);
    const found = plural(refusals.length, "error");
    return [
      {
        words: `The service's validation rejected it (400): ${found}.`,
        look: { tone: "bad", bold: true },
      },
      ...refusals.map(
        (one): Sentence => ({ words: atPlace(plan.form, one), look: { tone: "bad" }, indent: 2 }),
      ),
    ];
  }
  const { sentence, why } = errorWords(error, { ...context, doing: "validating" });
  return [{ words: sentence, look: { tone: "bad", bold: true } }, ...(why ? [{ words: why }] : [])];
}

/** The state of the validation in one line, with the key that leads on; null if the footer says it. */
function validationLine(state: ValidationState, key: KeyWords): string | null {
  switch (state.kind) {
    case "none":
      return null;
    case "asking":
      return "The service is validating it…";
    case "passed":
      return `Validated; nothing is created yet. ${key("raw")} shows the response.`;
    case "failed":
      return isServiceError(state.error, "rejected")
        ? `${key("open")} goes to the first error in the form.`
        : null;
  }
}
