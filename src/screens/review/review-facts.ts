/** The facts of a review: its requests, their obstacles, their options and their questions. */
import type { Sentence } from "../../components/document.tsx";
import { errorPlace } from "../../components/problem.tsx";
import type { ErrorContext } from "../../errors/app-error.ts";
import type { Form } from "../../forms/fields.ts";
import { formOf } from "../../forms/forms.ts";
import type { Issue } from "../../forms/rules.ts";
import { attrWords } from "../../forms/service-errors.ts";
import type { KeyWords } from "../../keys/keymap.ts";
import type { ConsoleSend } from "../../session/gate.ts";
import type { Session } from "../../session/open-session.ts";
import type { Choice } from "../../session/overlays.ts";
import type { Plan } from "../../session/plan.ts";
import { plural } from "../../text/numbers.ts";
import { questionsOf, type ToSend } from "../../writes/gate.ts";
import { barOf, type EarlierEntry, type GuardFinding } from "../../writes/guard.ts";
import { numberOf } from "../../writes/kinds/kind.ts";
import { kindOf } from "../../writes/kinds/kinds.ts";
import type { PreparedWrite } from "../../writes/prepare.ts";
import type { TeamBar } from "../../writes/team/ask.ts";
import { Contents, writeWords } from "../../writes/words/contents.ts";
import { barWords, describeEarlierEntry } from "../../writes/words/guard.ts";
import { isBeingSent, teamBarWords } from "../../writes/words/team.ts";

export interface ReviewFacts {
  readonly form: Form;
  readonly baseUrl: string;
  readonly before: readonly Sentence[];
  readonly warnings: readonly Issue[];
  /** The write that supplies the options and failure rules, or null until it is known. */
  readonly write: PreparedWrite | null;
  readonly requests: readonly RequestGroup[];
  /** The amounts of a run, or null for a form. */
  readonly run: RunFacts | null;
  /** True if each item is sent in a separate request, or null if there is no such choice. */
  readonly split: boolean | null;
}

export interface RunFacts {
  readonly goesOut: string;
  readonly suppliers: readonly { readonly supplier: string; readonly contents: string }[];
  readonly first: readonly SampleRequest[];
  /** The last request, or null if it is one of the first ones. */
  readonly last: SampleRequest | null;
  readonly between: number;
  readonly heldBack: readonly string[];
}

export interface SampleRequest {
  /** The line numbers of its rows in the file, or null for marked accounts. */
  readonly lines: readonly number[] | null;
  readonly write: PreparedWrite;
}

interface RequestGroup {
  readonly heading: string | null;
  readonly parts: readonly PreparedWrite[];
}

export interface GuardFacts {
  readonly finding: GuardFinding;
  readonly sameIds: string | null;
  /** The reason for which nothing is sent with a restored or copied journal, or null. */
  readonly older: string | null;
  readonly team: TeamBar | null;
}

export function formFacts(
  { form, warnings, prepared, parts, split }: Plan,
  { finding, sameIds, team }: GuardFacts,
  validation: readonly Sentence[],
  baseUrl: string,
  key: KeyWords,
): ReviewFacts {
  return {
    form,
    baseUrl,
    before: [
      ...findingWords(finding, key),
      ...teamWords(team, prepared, key),
      ...(sameIds === null ? [] : [{ words: sameIds, look: { tone: "waiting" } as const }]),
      ...validation,
    ],
    warnings,
    write: prepared,
    requests: [{ heading: null, parts }],
    run: null,
    split,
  };
}

export function formToSend(
  { prepared }: Plan,
  { finding, team }: Pick<GuardFacts, "finding" | "team">,
): ConsoleSend {
  const { operation, facts } = prepared;
  const bar = barOf(finding);
  const words = [
    ...(bar === null ? [] : [barWords(bar)]),
    ...(team === null ? [] : [teamBarWords(team, prepared)]),
  ];
  const passes = [...(bar?.findings ?? []), ...(team?.findings ?? [])];
  const contents = new Contents(operation);
  contents.add(facts.items);
  const hint = "Why you send it anyway; saved to the journal.";
  return {
    operation,
    inDoubt: words.length > 0,
    doing: `Send ${writeWords(prepared)}`,
    detail: words.length === 0 ? null : words.join(" "),
    yes: contents.knownAmount === null ? "Yes, send it" : `Yes, send ${contents.knownAmount}`,
    target: numberOf(facts.target),
    rows: 1,
    sum: contents.sum,
    reason: words.length === 0 ? null : { passes, hint, without: null },
  };
}

function findingWords(finding: GuardFinding, key: KeyWords): readonly Sentence[] {
  const bad = { tone: "bad", bold: true } as const;
  switch (finding.kind) {
    case "clear":
      return [];
    case "refused-before": {
      const words = `${barWords(finding)} Change it. If the 400 was a vendor outage that is over, ${key("send")} asks for the reason and sends it.`;
      return [{ words, look: bad }];
    }
    case "sent-before": {
      const words = `${describeEarlierEntry(finding)} Sent again, it might take effect twice: ${key("send")} asks for the reason.`;
      return [{ words: words + shownByWords(finding.earlier, key), look: bad }];
    }
    case "reported": {
      const words = `${describeEarlierEntry(finding)} The service does not add it twice.`;
      return [{ words: words + shownByWords(finding.earlier, key), look: { tone: "waiting" } }];
    }
  }
}

function teamWords(team: TeamBar | null, write: PreparedWrite, key: KeyWords): readonly Sentence[] {
  if (team === null) return [];
  const next = isBeingSent(team.worst)
    ? "Wait for its outcome."
    : `Sent again, it might take effect twice: ${key("send")} asks for the reason.`;
  return [{ words: `${teamBarWords(team, write)} ${next}`, look: { tone: "bad", bold: true } }];
}

/** Names the key that shows an entry, unless it was removed from the journal. */
function shownByWords({ isRemoved }: EarlierEntry, key: KeyWords): string {
  return isRemoved ? "" : ` ${key("activity")} shows the entry.`;
}

export function splitWords(split: boolean): string {
  return split
    ? "One transaction per request: yes. Each gets a separate answer; sending stops at the first that is not confirmed."
    : "One transaction per request: no. If one is rejected (400), the earlier ones might have taken effect.";
}

export function optionWords(value: string | undefined): string {
  if (value === undefined) return "yes (default, not sent)";
  return value === "true" ? "yes" : "no";
}

export function splitChoice(split: boolean, choose: (split: boolean) => void): Choice {
  return {
    label: `One transaction per request: ${split ? "no" : "yes"}`,
    hint: `now ${split ? "yes" : "no"}`,
    run: () => choose(!split),
  };
}

/**
 * Returns the query options of a form as choices (INTERFACE 4.2). An option that is not sent is on.
 */
export function queryChoices(
  form: Form,
  query: PreparedWrite["query"],
  choose: (option: string, on: boolean) => void,
): readonly Choice[] {
  return form.query.map(({ name, label }) => {
    const isOff = query[name] === "false";
    return {
      label: `${label}: ${isOff ? "yes" : "no"}`,
      hint: `now ${optionWords(query[name])}`,
      run: () => choose(name, isOff),
    };
  });
}

/**
 * Describes the questions that precede a send, such as `s sends it after you type EXT-1.` Returns
 * null if there are none.
 */
export function sendWords(
  send: ToSend,
  { profile }: Pick<Session, "profile">,
  pronoun: "it" | "them",
  key: KeyWords,
): string | null {
  const questions = questionsOf(send, profile.environment);
  const sends = `${key("send")} sends ${pronoun} after`;
  switch (questions[0]?.kind) {
    case undefined:
      return null;
    case "reason":
      return `${sends} it has asked for a reason.`;
    case "yes":
      return `${sends} a question.`;
    default: {
      const typed = questions.filter(({ kind }) => kind !== "reason");
      return `${sends} you type ${typed.map(({ wanted }) => wanted).join(" and ")}.`;
    }
  }
}

export function errorContextOf(
  { operation, facts }: PreparedWrite,
  session: Session,
): ErrorContext {
  const { target, items } = facts;
  const { item, itemsField } = kindOf(operation);
  const contents = itemsField === null ? `a ${item}` : plural(items.length, item);
  const id = numberOf(target);
  return {
    doing:
      target.kind === "account" ? `adding ${contents} to ${id}` : `creating supply point ${id}`,
    ...errorPlace(session),
    field: (attr) => attrWords(formOf(operation), null, attr),
    subject: { kind: target.kind, supplier: target.importSupplier, id },
  };
}
