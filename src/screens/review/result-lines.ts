import type { DocumentBuilder } from "../../components/document.tsx";
import type { ErrorContext } from "../../errors/app-error.ts";
import { errorWords } from "../../errors/error-words.ts";
import { rejectionRemedy } from "../../errors/rejection-remedy.ts";
import { atPlace } from "../../forms/fields.ts";
import type { KeyWords } from "../../keys/keymap.ts";
import type { Plan } from "../../session/send-form.ts";
import type { ActivityDetail } from "../../writes/activity-detail.ts";
import type { Item } from "../../writes/kinds/kind.ts";
import { kindOf } from "../../writes/kinds/kinds.ts";
import type { PreparedWrite } from "../../writes/prepare.ts";
import { isSkippable } from "../../writes/send/events.ts";
import type { SubmitEvent, WriteResult } from "../../writes/submit.ts";
import { eventWords, lastingEvents } from "../../writes/words/events.ts";
import {
  causeWords,
  effectWords,
  existsWords,
  itemWords,
  meaningWords,
  movedWords,
  outcomeWords,
  reasonWords,
} from "../../writes/words/outcomes.ts";
import { fromItem, refusalsOfResult } from "./one-by-one.ts";

/** How an entry is being sent, or how it was: one line for each event. */
export function sayProgress(
  page: DocumentBuilder,
  all: readonly SubmitEvent[],
  now: number,
  key: KeyWords,
): void {
  const events = lastingEvents(all);
  for (const [at, event] of events.entries()) {
    const isLast = at === events.length - 1;
    const words = eventWords(event, isLast ? now : null);
    if (words === null) continue;
    const skip = isLast && isSkippable(event) ? ` ${key("cut-short")} continues now.` : "";
    const failed = event.kind === "attempt-ended" && event.error !== null;
    page.say(`${words}${skip}`, failed ? { tone: "bad" } : {});
  }
}

/** The result with the outcome that the journal holds now: it was verified, closed or sent again. */
export function asRecorded(result: WriteResult, now: ActivityDetail | undefined): WriteResult {
  // While it is verified or sent again, its earlier end stands.
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

/** The sentence about an outcome that has changed since; null for any other. */
export function changedWords(result: WriteResult, now: ActivityDetail | undefined): string | null {
  if (now === undefined || asRecorded(result, now) === result) return null;
  return `It ended as ${result.outcome} and is ${now.outcome} now. ${meaningWords(now)}`;
}

/** How an entry ended: what is known, item by item, and what can be done now. */
export function sayResult(
  page: DocumentBuilder,
  result: WriteResult,
  plan: Plan,
  split: boolean,
  context: ErrorContext,
  ascii: boolean,
  key: KeyWords,
): void {
  page.say(meaning(result, context));
  const remedy = result.error === null ? null : rejectionRemedy(result.error, context);
  if (result.outcome === "rejected" && remedy !== null) page.say(remedy, { tone: "accent" });
  for (const words of nextWords(result, plan.prepared, key)) page.say(words, { tone: "accent" });
  const confirmed = result.items.filter(
    ({ outcome }) => outcome === "created" || outcome === "exists",
  );
  if (split && result.outcome !== "confirmed" && confirmed.length > 0) {
    page.say(
      `The first ${confirmed.length} are confirmed and removed from the form. Nothing after the one that failed was sent.`,
    );
  }
  const refusals = refusalsOfResult(split ? fromItem(plan, confirmed.length) : plan, result);
  if (refusals.length > 0) page.say("");
  for (const one of refusals) page.say(atPlace(plan.form, one), { tone: "bad" });
  if (result.items.length > 0) page.say("");
  const { operation, facts, query } = plan.prepared;
  const sent = { operation, items: facts.items };
  const moved = movedWords(sent, query, result.response);
  for (const item of result.items) {
    sayItem(page, item, ascii);
    const date = moved[item.position] ?? null;
    if (date !== null) page.say(date, {}, 5);
    if (item.outcome === "exists")
      page.say(existsWords(sent, item.position, { attempts: result.attempts }), {}, 5);
  }
  if (result.process !== null) {
    page.say("");
    page.fact("Import", `${result.process.status}, created ${result.process.created_at ?? "?"}`);
  }
}

function sayItem(page: DocumentBuilder, item: Item, ascii: boolean): void {
  const words = itemWords[item.outcome];
  const mark = ascii ? words.asciiMark : words.mark;
  const status = item.status === null ? "" : `  ${item.status}`;
  const text = `${mark} ${item.position + 1}  ${words.label}  ${item.label ?? ""}${status}`;
  page.say(text, { tone: words.tone }, 0, 5);
}

/** The mark and the word of an outcome, for the headline. */
export function outcomeOf({ outcome }: WriteResult) {
  return outcomeWords[outcome];
}

function meaning(result: WriteResult, context: ErrorContext): string {
  const { outcome, operation } = result;
  if (result.journalError !== null) {
    return `The service answered, but the answer could not be saved to the journal: ${result.journalError.message} It counts as unknown.`;
  }
  switch (outcome) {
    case "confirmed":
      if (operation === "supply-points create")
        return "The service accepted it: its creation is scheduled.";
      return result.reason === "looked-up"
        ? "It was found at the service, which confirms it."
        : outcomeWords.confirmed.meaning;
    case "rejected":
      return `${told(result, context)} ${effectWords(result)}`;
    case "retryable":
      return `${told(result, context)} ${effectWords(result)}`;
    case "unknown":
      return `${result.reason === "answered" || result.reason === "no-answer" ? "" : `${reasonWords[result.reason]} `}${told(result, context)} ${effectWords(result)}`;
    case "unsent":
      if (result.items.some(({ outcome }) => outcome === "created" || outcome === "exists")) {
        return "It was stopped between two requests: the rest was not sent.";
      }
      return `It was not sent. ${reasonWords[result.reason]} ${told(result, context)}`;
    case "closed":
      return outcomeWords.closed.meaning;
  }
}

function told(result: WriteResult, context: ErrorContext): string {
  const { error } = result;
  if (error === null) return "";
  // Complaints about fields, and what a 404 can mean, stand on lines of their own.
  const apart = (error.facts.errors?.length ?? 0) > 0 || error.kind === "not-found";
  return apart ? errorWords(error, context).sentence : causeWords(result, context);
}

function nextWords(
  { outcome, operation, journalId, mayHaveTakenEffect }: WriteResult,
  { deduplicated }: PreparedWrite,
  key: KeyWords,
): readonly string[] {
  const enter = key("open");
  const { readBack } = kindOf(operation);
  switch (outcome) {
    case "confirmed":
    case "closed":
      return [];
    case "rejected":
      return mayHaveTakenEffect
        ? [`${enter}: back to the form. Sent again from the draft, it could take effect twice.`]
        : [`${enter}: back to the form, to the field that was rejected.`];
    case "unsent":
      return [`${enter}: back to the form. The draft is saved.`];
    case "retryable":
      return [
        `${enter}: entry ${journalId}, where it can be sent again unchanged. The draft is saved.`,
      ];
    case "unknown": {
      const way =
        readBack.by === "look-up"
          ? "verify checks for the import at the service and sends nothing"
          : readBack.by === "checked-resend"
            ? "verify sends the same bytes again; the service answers what already exists"
            : `it cannot be read back: look at ${readBack.where}, then close it with a reason`;
      const again = deduplicated ? "" : " Sent again from the draft, it could take effect twice.";
      return [`${enter}: entry ${journalId}; ${way}. The draft is saved.${again}`];
    }
  }
}
