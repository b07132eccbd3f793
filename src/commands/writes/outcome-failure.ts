/** Describes a write that was not confirmed: the known facts, the reason and the next step. */

import type { AppError, ErrorContext } from "../../errors/app-error.ts";
import { type ErrorWords, errorWords, oneLine } from "../../errors/error-words.ts";
import { exactJsonOf, isRecord } from "../../json/exact.ts";
import { profileWords } from "../../settings/sandbox-profile.ts";
import type { Profile } from "../../settings/schemas.ts";
import { asCommand } from "../../text/as-command.ts";
import { safe } from "../../text/sanitize.ts";
import { textAt } from "../../writes/kinds/bodies.ts";
import type { BodyFacts } from "../../writes/kinds/kind.ts";
import { isRecognized, kindOf, noCheckedResend } from "../../writes/kinds/kinds.ts";
import type { WriteResult } from "../../writes/send/events.ts";
import type { TeamFacts } from "../../writes/team/ledger.ts";
import { writeWords } from "../../writes/words/contents.ts";
import { barredError, barWords } from "../../writes/words/guard.ts";
import { causeWords, effectWords } from "../../writes/words/outcomes.ts";
import { barringEntry, refusalError } from "../../writes/words/team.ts";
import { exitCodeOf } from "../exit-codes.ts";
import type { Failure } from "../failure.ts";
import { type Explain, withoutFieldErrors } from "./body.ts";

export interface Outcome {
  readonly result: WriteResult;
  readonly facts: Pick<BodyFacts, "target" | "items">;
  /** Query parameters (INTERFACE 4.2). */
  readonly query: Readonly<Record<string, string>>;
  readonly context: ErrorContext;
  readonly profile: Profile;
  readonly explain: Explain;
  /** The facts of the entry at the team's ledger, or null without a team. */
  readonly team: TeamFacts | null;
}

export function failureOfWrite(outcome: Outcome): Failure {
  const { result, explain } = outcome;
  const { error, journalId } = result;
  return {
    exitCode: exitCodeOf(result),
    kind: failureKindOf(outcome),
    message: messageOf(outcome),
    httpStatus: result.httpStatus ?? undefined,
    code: result.code ?? undefined,
    errors: error?.facts.errors,
    supplyPointIdentifier: error?.facts.supplyPointIdentifier,
    ...rejectedItems(outcome),
    journalId,
    ...teamFailure(outcome),
    details: error === null ? [] : explain(error),
  };
}

/**
 * Returns the outcome of each transaction after a 400 (INTERFACE 4.2), and the transaction that the
 * response names.
 */
function rejectedItems({ result, facts }: Outcome): Pick<Failure, "items" | "transactionData"> {
  const { operation, error, items, response } = result;
  if (operation !== "transactions create" || error?.kind !== "rejected") return {};
  const value = exactJsonOf(response ?? "");
  const data = isRecord(value) ? value.transaction_data : undefined;
  return {
    items: items.map(({ position, outcome }) => ({
      index: position,
      transaction_id: textAt(facts.items[position], "transaction_id"),
      outcome,
    })),
    ...(data === undefined ? {} : { transactionData: data }),
  };
}

function teamFailure({ team, result }: Outcome): Pick<Failure, "team" | "earlier"> {
  if (team === null) return {};
  const { refusal } = result;
  const earlier = refusal?.kind === "barred" ? barringEntry(refusal) : null;
  return { team, ...(earlier === null ? {} : { earlier }) };
}

function failureKindOf(write: Outcome): string {
  const { outcome, error, journalError, bar } = write.result;
  const refused = refusalOf(write);
  if (refused !== null) return refused.kind;
  if (bar !== null) return barredError(bar).kind;
  if (journalError !== null) return `journal-${journalError.kind}`;
  if (outcome === "unknown") return "unknown-outcome";
  if (outcome === "retryable") return "retryable";
  return error?.kind ?? "not-sent";
}

function messageOf(write: Outcome): string {
  const { result, context, facts, profile } = write;
  const { outcome, operation, journalId } = result;
  const requests = `${writeWords({ operation, facts })}, on ${profileWords(profile)}`;
  const entry = safe(`Journal entry ${journalId}: ${requests}`);
  const effect = effectWords(result);
  switch (outcome) {
    case "rejected":
      return `${oneLine(rejectedWords(result, context))} ${effect} ${entry}.${blockedWords(result)}`;
    case "unknown":
      return `The outcome is unknown. ${unknownWords(write)} ${effect} ${entry}. ${nextSteps(write)}`;
    case "retryable":
      return `${errorText(write)} ${effect} ${resendCommand(write)} sends ${result.mayHaveTakenEffect ? "the same bytes" : "it"} again. ${entry}.`;
    case "unsent": {
      const refused = refusalOf(write);
      if (refused !== null) return `${oneLine(errorWords(refused, context))} ${entry}.`;
      return `It was not sent. ${unsentWords(write)} ${resendCommand(write)} sends it. ${entry}.`;
    }
    case "closed":
    case "confirmed":
      return `It is ${outcome}. ${entry}.`;
  }
}

/** Returns the ledger's refusal of a write that was never sent, or null. */
function refusalOf(write: Outcome): AppError | null {
  const { outcome, reason } = write.result;
  return outcome !== "unsent" || reason === "cancelled" ? null : refusedAtLast(write);
}

/** Returns the ledger's refusal of the last attempt, or null if the ledger let it through. */
function refusedAtLast({ result, facts }: Outcome): AppError | null {
  const { refusal } = result;
  return refusal === null ? null : refusalError(refusal, { ...result, items: facts.items.length });
}

function rejectedWords(
  { error, httpStatus, mayHaveTakenEffect }: WriteResult,
  context: ErrorContext,
): ErrorWords {
  if (error === null)
    return {
      sentence: `The service refused it (${httpStatus ?? "?"}).`,
      why: null,
      remedy: null,
      fix: null,
    };
  // Errors of single fields are on separate lines.
  const words = errorWords(withoutFieldErrors(error), context);
  // The write had no effect, so the remedy does not include a check of its outcome.
  if (error.kind === "unexpected-status" && !mayHaveTakenEffect)
    return {
      ...words,
      remedy: "Check the profile's base URL: a proxy or gateway might have refused it.",
    };
  const { subject } = context;
  if (error.kind !== "not-found" || subject?.kind !== "account") return words;
  const { supplier, id = "" } = subject;
  const status = asCommand(
    { kind: "account-status", supplier, account: id },
    context.profile ?? null,
  );
  return {
    ...words,
    sentence: safe(`Supplier ${supplier} has no imported account ${id} (404).`),
    remedy: `It might be staged and not imported yet, or the code or number is wrong${status === null ? "." : `: \`${safe(status)}\` shows which.`}`,
  };
}

/** Returns a warning if the guard blocks the same form from now on, or an empty text. */
function blockedWords({ operation, httpStatus }: WriteResult): string {
  return httpStatus === 400 && kindOf(operation).retries["400"] === "stop-and-block"
    ? " This same form is sent again only with --again --reason TEXT."
    : "";
}

function unknownWords(write: Outcome): string {
  const { result } = write;
  if (result.journalError !== null)
    return `The service responded, but the response could not be saved to the journal. ${result.journalError.message}`;
  if (result.items.some((item) => item.outcome === "rejected"))
    return `One of several items was rejected, and the service does not report the outcomes of the items before it. ${errorText(write)}`;
  switch (result.reason) {
    case "cancelled":
      return "It was interrupted after it was sent.";
    case "deadline":
      return `The time limit for all attempts was reached. ${errorText(write)}`;
    case "process-ended":
      return "Another supplyline process is handling this entry.";
    default:
      return errorText(write);
  }
}

function unsentWords(write: Outcome): string {
  const { result } = write;
  if (result.bar !== null) return barWords(result.bar);
  if (result.reason === "cancelled") return "It was interrupted before it was sent.";
  if (result.reason === "deadline" && result.error === null)
    return "The time limit was reached before it was sent.";
  if (result.reason === "account-busy")
    return "Another entry for the same account did not end in time.";
  return errorText(write);
}

/** Describes the last failure. The ledger can also refuse an entry with earlier attempts. */
function errorText(write: Outcome): string {
  const { result, context } = write;
  const cause = result.error === null ? [] : [causeWords(result, context)];
  const refused = refusedAtLast(write);
  if (refused === null) return cause[0] ?? "No response shows the outcome.";
  const why = oneLine({ ...errorWords(refused, context), remedy: null });
  return [...cause, `It was not sent again. ${why}`].join(" ");
}

/**
 * Returns the command that sends an entry again, with `--again` and `--reason` if a bar blocks the
 * entry or it might take effect twice.
 */
function resendCommand({ result, facts, query }: Outcome): string {
  const { operation, journalId, bar, mayHaveTakenEffect } = result;
  const isInDoubt =
    bar !== null || (mayHaveTakenEffect && !isRecognized(operation, query, facts.items));
  return `\`supplyline activity resend ${journalId}${isInDoubt ? " --again --reason TEXT" : ""}\``;
}

function nextSteps({ result, facts, query }: Outcome): string {
  const { operation, journalId, error } = result;
  const { readBack, isDeduplicated } = kindOf(operation);
  const close = `\`supplyline activity close ${journalId} --reason TEXT\``;
  if (readBack.by === "nothing")
    return `It cannot be read back: look at ${readBack.where}, then close it with ${close}.`;
  const deduplicated = isDeduplicated(query, facts.items);
  const refused = error?.kind === "rejected" && facts.items.length === 1;
  const obstacle =
    readBack.by === "look-up" ? null : noCheckedResend(readBack, { deduplicated, refused });
  if (obstacle !== null) return `${obstacle} Then close it with ${close}.`;
  return `\`supplyline activity verify ${journalId}\` checks the outcome.`;
}
