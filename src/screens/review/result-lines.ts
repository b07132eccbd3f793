/** The lines about a sent form: its progress, its attempts and its outcome. */
import type { DocumentBuilder } from "../../components/document.tsx";
import type { ErrorContext } from "../../errors/app-error.ts";
import { errorWords } from "../../errors/error-words.ts";
import { rejectionRemedy } from "../../errors/rejection-remedy.ts";
import { atPlace } from "../../forms/places.ts";
import type { KeyWords } from "../../keys/keymap.ts";
import { type Plan, refusalsOfResult } from "../../session/plan.ts";
import { shortInstant } from "../../text/dates.ts";
import { plural } from "../../text/numbers.ts";
import { widthOf } from "../../text/width.ts";
import type { Item, Operation } from "../../writes/kinds/kind.ts";
import { kindOf } from "../../writes/kinds/kinds.ts";
import type { PreparedWrite } from "../../writes/prepare.ts";
import { isSkippable, type SubmitEvent, type WriteResult } from "../../writes/send/events.ts";
import { oneItemWords } from "../../writes/words/contents.ts";
import { asClause, attemptWords, eventWords, lastingEvents } from "../../writes/words/events.ts";
import {
  causeWords,
  effectWords,
  existsWords,
  itemWords,
  movedWords,
  outcomeWords,
  reasonWords,
} from "../../writes/words/outcomes.ts";

/** Adds the progress of sending an entry: one line for each event. */
export function addProgress(
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
    page.addText(`${words}${skip}`, failed ? { tone: "bad" } : {});
  }
}

/**
 * Adds the ended attempts of an entry with their times. Consecutive attempts with the same end are
 * one line.
 */
export function addHistory(page: DocumentBuilder, all: readonly SubmitEvent[], now: number): void {
  const events = lastingEvents(all).filter(({ kind }) => kind !== "queued" && kind !== "waiting");
  const hasSeveralEntries = all.filter(({ kind }) => kind === "queued").length > 1;
  /** The consecutive attempts with the same end. */
  let attempts: AttemptEnded[] = [];
  for (const [at, event] of events.entries()) {
    if (event.kind !== "attempt-ended") {
      const words = eventWords(event, null);
      if (words !== null) page.addText(words);
      continue;
    }
    attempts.push(event);
    const next = events[at + 1];
    if (next?.kind === "attempt-ended" && endOf(next) === endOf(event)) continue;
    const entry = hasSeveralEntries ? `entry ${event.journalId}, ` : "";
    const [from, until] = [attempts[0] ?? event, event].map(({ end }) =>
      shortInstant(end.startedAt, now),
    );
    const words =
      attempts.length === 1
        ? `${from}  ${entry}attempt ${event.n}: ${attemptWords(event.end)}`
        : `${from} to ${until}  ${entry}${attempts.length} attempts, each: ${endWithoutDuration(event)}`;
    page.addText(words, {}, 0, 10);
    attempts = [];
  }
}

/** The event at the end of an attempt. */
type AttemptEnded = Extract<SubmitEvent, { kind: "attempt-ended" }>;

/** Describes the end of an attempt without its duration. */
function endWithoutDuration({ end }: AttemptEnded): string {
  return attemptWords({ ...end, endedAt: null });
}

/** Returns a text that is equal for attempts of an entry with the same end. */
function endOf(event: AttemptEnded): string {
  return `${event.journalId} ${endWithoutDuration(event)}`;
}

/**
 * Adds the end of an entry: the outcome, its reason, the next step, a line for each item, and the
 * import that the service started.
 */
export function addResult(
  page: DocumentBuilder,
  result: WriteResult,
  plan: Plan,
  context: ErrorContext,
  key: KeyWords,
): void {
  const { split } = plan;
  const confirmed = result.items.filter(
    ({ outcome }) => outcome === "created" || outcome === "exists",
  );
  addOutcome(page, result, split === true && confirmed.length > 0);
  const refusals = refusalsOfResult(plan, result, confirmed.length);
  const reason = reasonOf(result, refusals.length > 0 ? null : context);
  if (reason !== "") page.addText(reason);
  for (const refusal of refusals) page.addText(atPlace(plan.form, refusal), { tone: "bad" });
  const remedy = result.error === null ? null : rejectionRemedy(result.error, context);
  if (result.outcome === "rejected" && remedy !== null) page.addText(remedy);
  const next = nextWords(result, plan.prepared, key);
  if (next !== null) page.addText(next);
  if (split && result.outcome !== "confirmed" && confirmed.length > 0) {
    page.addText(
      `The first ${confirmed.length} are confirmed and removed from the form. Nothing after the one that failed was sent.`,
    );
  }
  addItems(page, result, plan.prepared);
  if (result.process !== null) {
    page.addText("");
    page.addFact("Import", `${result.process.status}, created ${result.process.created_at ?? "?"}`);
  }
}

/** Adds a line with the outcome and its effect, and on the right the entry and the response. */
function addOutcome(page: DocumentBuilder, result: WriteResult, isPartlyConfirmed: boolean): void {
  const { outcome, journalId, httpStatus, code, attempts, mayHaveTakenEffect } = result;
  const words = outcomeWords[outcome];
  // The effect of the last request is misleading if earlier requests took effect.
  const omitsEffect =
    ["confirmed", "closed", "unsent"].includes(outcome) ||
    (isPartlyConfirmed && !mayHaveTakenEffect);
  const effect = omitsEffect ? "" : `, ${asClause(effectWords(result))}`;
  page.addEnds(
    `${words.mark} ${words.label}${effect}`,
    [
      `entry ${journalId}`,
      ...(httpStatus === null ? [] : [code === null ? `${httpStatus}` : `${httpStatus} ${code}`]),
      ...(attempts > 1 ? [plural(attempts, "attempt")] : []),
    ].join(", "),
    { tone: words.tone, bold: true },
  );
}

/** Adds a line for each item, with its moved date and with a note if it already existed. */
function addItems(
  page: DocumentBuilder,
  result: WriteResult,
  { operation, facts, query }: PreparedWrite,
): void {
  const sent = { operation, items: facts.items };
  const moved = movedWords(sent, query, result.response);
  if (result.items.length > 0) page.addText("");
  for (const item of result.items) {
    addItem(page, item, sent);
    const movedDate = moved[item.position] ?? null;
    if (movedDate !== null) page.addText(movedDate, {}, 5);
    if (item.outcome === "exists")
      page.addText(existsWords(sent, item.position, { attempts: result.attempts }), {}, 5);
  }
}

/**
 * Adds the line of an item. The name of a single item with an amount is left out, because the title
 * has it.
 */
function addItem(
  page: DocumentBuilder,
  item: Item,
  { operation, items }: { readonly operation: Operation; readonly items: readonly unknown[] },
): void {
  const words = itemWords[item.outcome];
  const isNamedByMoney = kindOf(operation).contents.amount !== null;
  const name = isNamedByMoney ? oneItemWords(operation, items[item.position]) : (item.label ?? "");
  const text = items.length === 1 && isNamedByMoney ? "" : name;
  const status = item.status === null ? "" : `  ${item.status}`;
  const label = `${words.mark} ${item.position + 1}  ${words.label}  `;
  page.addFact(label, `${text}${status}`.trim(), {}, widthOf(label), { tone: words.tone });
}

/**
 * Returns the reason for the outcome, as sentences, or an empty text if the outcome needs none.
 * `context` is null if the refusals already report the response of the service.
 */
function reasonOf(result: WriteResult, context: ErrorContext | null): string {
  const { outcome, operation, reason } = result;
  if (result.journalError !== null) {
    return `The service responded, but the response could not be saved to the journal: ${result.journalError.message} It counts as unknown.`;
  }
  const cause = context === null ? "" : causeOf(result, context);
  switch (outcome) {
    case "confirmed":
      if (operation === "supply-points create") return "Its creation is scheduled.";
      return reason === "looked-up" ? "It was found at the service, which confirms it." : "";
    case "rejected":
    case "retryable":
      return cause;
    case "unknown":
      return reason === "answered" || reason === "no-answer"
        ? cause
        : `${reasonWords[reason]} ${cause}`.trim();
    case "unsent":
      if (result.items.some(({ outcome }) => outcome === "created" || outcome === "exists")) {
        return "It was stopped between two requests: the rest was not sent.";
      }
      return `It was not sent. ${reasonWords[reason]} ${cause}`.trim();
    case "closed":
      return outcomeWords.closed.meaning;
  }
}

/** Describes the error of a result, or returns an empty text if there is none. */
function causeOf(result: WriteResult, context: ErrorContext): string {
  const { error } = result;
  if (error === null) return "";
  return error.kind === "not-found"
    ? errorWords(error, context).sentence
    : causeWords(result, context);
}

/** Returns the next step, or null if the footer shows it or there is none. */
function nextWords(
  { outcome, operation, journalId, mayHaveTakenEffect }: WriteResult,
  { deduplicated }: PreparedWrite,
  key: KeyWords,
): string | null {
  const { readBack } = kindOf(operation);
  const twice = "Sent again from the draft, it could take effect twice.";
  switch (outcome) {
    case "confirmed":
    case "closed":
      return null;
    case "rejected":
      return mayHaveTakenEffect ? twice : null;
    case "unsent":
      return "The draft is saved.";
    case "retryable":
      return `${key("open")} opens entry ${journalId}, where it can be sent again unchanged.`;
    case "unknown": {
      const verification =
        readBack.by === "look-up"
          ? "verify checks for the import at the service and sends nothing"
          : readBack.by === "checked-resend"
            ? "verify sends the same bytes again; the service adds only what is missing"
            : `it cannot be read back: look at ${readBack.where}, then close it with a reason`;
      return `${key("open")} opens entry ${journalId}; ${verification}.${deduplicated ? "" : ` ${twice}`}`;
    }
  }
}
