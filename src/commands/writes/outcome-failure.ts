import { asCommand } from "../../text/as-command.ts";
import {
  describeError,
  type ErrorContext,
  type ErrorWords,
  oneLine,
} from "../../text/describe-error.ts";
import { safe } from "../../text/sanitise.ts";
import { noCheckedResend } from "../../writes/checked-resend.ts";
import { exitCodeOf } from "../../writes/exit-code.ts";
import { barredError, barWords } from "../../writes/guard.ts";
import { operations } from "../../writes/operations.ts";
import { isDeduplicated } from "../../writes/prepare.ts";
import type { WriteResult } from "../../writes/submit.ts";
import type { ExitCode } from "../exit-codes.ts";
import type { Failure } from "../failure.ts";
import { withoutComplaints } from "./complaints.ts";
import type { Outcome } from "./outcome-facts.ts";

/** What is told of a write that was not confirmed: what is known, why, and what can be done. */
export function failureOfWrite(outcome: Outcome): Failure {
  const { result, explain } = outcome;
  const { error, journalId } = result;
  return {
    exitCode: exitCodeOf(result) as ExitCode,
    kind: kindOf(result),
    message: messageOf(outcome),
    httpStatus: result.httpStatus ?? undefined,
    code: result.code ?? undefined,
    errors: error?.facts.errors,
    journalId,
    details: error === null ? [] : explain(error),
  };
}

/** The kind of the error where one decided, else the outcome. */
function kindOf({ outcome, error, journalError, bar }: WriteResult): string {
  if (bar !== null) return barredError(bar).kind;
  if (journalError !== null) return `journal-${journalError.kind}`;
  if (outcome === "unknown") return "unknown-outcome";
  if (outcome === "retryable") return "retryable";
  return error?.kind ?? "not-sent";
}

function messageOf(outcomeOf: Outcome): string {
  const { result, context } = outcomeOf;
  const { outcome, journalId } = result;
  const entry = `journal entry ${journalId}`;
  switch (outcome) {
    case "rejected":
      return `${oneLine(rejectedWords(result, context))} Nothing of it took effect; ${entry}.${blockedWords(result)}`;
    case "unknown":
      return `The outcome is unknown: ${unknownWords(result, context)} It may have taken effect; ${entry}. ${waysOn(outcomeOf)}`;
    case "retryable":
      return result.mayHaveLanded
        ? `It failed and may have taken effect all the same: ${why(result, context)} \`supplyline activity resend ${journalId}\` sends the same bytes again; ${entry}.`
        : `It had no effect: ${why(result, context)} \`supplyline activity resend ${journalId}\` sends it again; ${entry}.`;
    case "unsent":
      return `It was not sent: ${unsentWords(result, context)} \`supplyline activity resend ${journalId}${result.bar === null ? "" : " --again --reason TEXT"}\` sends it after all; ${entry}.`;
    case "closed":
    case "confirmed":
      return `It is ${outcome}; ${entry}.`;
  }
}

/** A refusal; of an account that is not found it is said what that can mean. */
function rejectedWords({ error, httpStatus }: WriteResult, context: ErrorContext): ErrorWords {
  if (error === null)
    return { what: `The service refused it (${httpStatus ?? "?"}).`, why: null, next: "" };
  // Complaints about single fields stand on lines of their own.
  const words = describeError(withoutComplaints(error), context);
  // A refusal all the same: nothing needs to be found out before it is sent again.
  if (error.kind === "unexpected-status")
    return {
      ...words,
      next: "Check the profile's base URL: a proxy or gateway may have refused it.",
    };
  const { subject } = context;
  if (error.kind !== "not-found" || subject?.kind !== "account") return words;
  const { supplier, id = "" } = subject;
  const status = asCommand(
    { kind: "account-status", supplier, account: id },
    context.profile ?? null,
  );
  return {
    what: safe(`Supplier ${supplier} has no imported account ${id} (404).`),
    why: words.why,
    next: `It may be staged and not imported yet, which is not enough, or the code or number is another${status === null ? "." : `: \`${safe(status)}\` tells which.`}`,
  };
}

/** The form is refused from now on, and that must not come as a surprise. */
function blockedWords({ operation, httpStatus }: WriteResult): string {
  return operation === "payment-instructions create" && httpStatus === 400
    ? " This same form is not sent again, except with --again --reason TEXT."
    : "";
}

function unknownWords(result: WriteResult, context: ErrorContext): string {
  if (result.journalError !== null)
    return `the service has answered, but that could not be written down. ${result.journalError.message}`;
  if (result.items.some((item) => item.outcome === "rejected"))
    return `one of several was refused, and the service does not say what became of those before it. ${why(result, context)}`;
  switch (result.reason) {
    case "cancelled":
      return "it was interrupted after it had been sent.";
    case "deadline":
      return `there was no time left to find out. ${why(result, context)}`;
    case "process-ended":
      return "another process took the entry over.";
    default:
      return why(result, context);
  }
}

function unsentWords(result: WriteResult, context: ErrorContext): string {
  if (result.bar !== null) return decapital(barWords(result.bar));
  if (result.reason === "cancelled") return "it was interrupted before.";
  if (result.reason === "deadline" && result.error === null)
    return "there was no time left for it.";
  if (result.reason === "account-busy")
    return "another write to the same account did not come to an end.";
  return why(result, context);
}

function why({ error }: WriteResult, context: ErrorContext): string {
  if (error === null) return "there was no answer that settles it.";
  const { what, why: reason } = describeError(error, context);
  if (reason === null) return what;
  return `${what} ${/[.!?…]$/.test(reason) ? reason : `${reason}.`}`;
}

/** How an unknown outcome can be found out. */
function waysOn({ result, facts, query }: Outcome): string {
  const { operation, journalId, httpStatus } = result;
  const { readBack } = operations[operation];
  const close = `\`supplyline activity close ${journalId} --reason TEXT\``;
  if (readBack.by === "nothing")
    return `It cannot be read back: look at ${readBack.where}, then settle it with ${close}.`;
  const deduplicated = isDeduplicated(operation, query, facts);
  const refused = httpStatus === 400 && facts.items.length === 1;
  const why =
    readBack.by === "look-up" ? null : noCheckedResend(operation, { deduplicated, refused });
  if (why !== null) return `${why} Then settle it with ${close}.`;
  return `\`supplyline activity verify ${journalId}\` finds out.`;
}

function decapital(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1);
}
