/**
 * Explains the outcome of an entry or a row in words: the message of the service, or a sentence of
 * supplyline.
 */
import { readErrorBody } from "../../api/error-body.ts";
import type { FieldError } from "../../api/errors.ts";
import { isRecord, jsonOf, memberText } from "../../json/exact.ts";
import type { ActivityOutcome } from "../activity.ts";
import { isOperation, kindOf, operationOf } from "../kinds/kinds.ts";

export interface DetailFacts {
  readonly outcome: ActivityOutcome;
  readonly operation: string;
  /** The position of the row's item in its request, or null for the whole request. */
  readonly position: number | null;
  readonly itemOutcome: string | null;
  readonly reason: string | null;
  /** The reason why the request might have taken effect, such as `vendor`, or `none`. */
  readonly doubt: string;
  readonly httpStatus: number | null;
  /** The body of the last response (untrusted), or null if there is none. */
  readonly response: string | null;
  /** The journal's note on the closing, the verification or the duplicate guard, or null. */
  readonly note: string | null;
}

/** The explanation of an outcome. All texts are untrusted. */
export interface Detail {
  readonly words: string | null;
  /** The error codes of a rejection, and the latest error of a supply point as `domain/code`. */
  readonly errorCodes: readonly string[];
}

export function detailOf(facts: DetailFacts): Detail {
  const rejection = facts.outcome === "rejected" ? rejectionOf(facts) : null;
  return {
    words: wordsOf(facts, rejection?.words ?? null),
    errorCodes: [...(rejection?.codes ?? []), ...latestErrorOf(facts)],
  };
}

function wordsOf(facts: DetailFacts, rejection: string | null): string | null {
  switch (facts.outcome) {
    case "confirmed":
      return facts.reason === "looked-up" ? "Found at the service." : messageWords(facts.response);
    case "sending":
      return null;
    case "rejected":
      return rejectedWords(facts, rejection);
    case "retryable":
      return retryableWords(facts);
    case "unknown":
      return unknownWords(facts);
    case "unsent":
      // The note of the duplicate guard names the earlier entry.
      return facts.note ?? unsentWords(facts.reason);
    case "closed":
      return facts.note === null || facts.note === "" ? null : facts.note;
  }
}

/**
 * Returns the message for people in a success, or null if it has none. A success is decided without
 * its words, so the reader judges them.
 */
function messageWords(response: string | null): string | null {
  // Most responses have none, and runs have many rows.
  if (response === null || !response.includes('"message"')) return null;
  const message = memberText(jsonOf(response), "message");
  return message ? `The service says: ${message}` : null;
}

function rejectedWords(facts: DetailFacts, rejection: string | null): string {
  if (facts.itemOutcome === "not-reached") {
    return "Not reached: the service rejected an earlier row of the same request.";
  }
  if (facts.reason === "refused-before") {
    return "The service rejected this form before, so it was not sent again.";
  }
  const effect = facts.doubt === "none" ? "" : "It might have taken effect. ";
  if (rejection !== null) return effect + rejection;
  return facts.httpStatus === null
    ? `${effect}The service rejected it.`
    : `${effect}The service rejected it (${facts.httpStatus}) without a reason.`;
}

function retryableWords({ httpStatus, doubt, reason }: DetailFacts): string {
  if (doubt === "vendor") {
    return "The vendor failed (500) each time. The request might have taken effect. It is sent again only if you resend it.";
  }
  if (httpStatus !== null && httpStatus >= 300 && httpStatus < 400) {
    return `The service answered with a redirect (${httpStatus}), which is never followed. The request might have taken effect.`;
  }
  if (doubt !== "none")
    return "The request failed, and an attempt might have taken effect. You can send it again unchanged.";
  if (reason === "deadline")
    return "The time limit for all attempts was reached. The request had no effect.";
  if (httpStatus === 429) return "There were too many requests (429). This request had no effect.";
  return "The request failed and had no effect. You can send it again unchanged.";
}

const unknownBecause: Readonly<Record<string, string>> = {
  "process-ended": "The program ended while the request was being sent",
  "no-answer": "No complete response arrived",
  deadline: "The time limit for all attempts was reached",
  cancelled: "The request was canceled before its outcome was known",
  "run-paused": "The run paused before the outcome was checked",
  "run-stopped": "The run stopped before the outcome was checked",
  "not-recorded": "A response arrived, but could not be recorded",
};

function unknownWords(facts: DetailFacts): string {
  const { operation, reason, httpStatus } = facts;
  const cause =
    unknownBecause[reason ?? ""] ??
    (httpStatus === null ? "No complete response arrived" : `The service answered ${httpStatus}`);
  const readBack = isOperation(operation) ? kindOf(operation).readBack : null;
  const advice = readBack?.by === "nothing" ? ` Check ${readBack.where}.` : "";
  return `${cause}. The request might have taken effect.${advice}`;
}

const unsentBecause: Readonly<Record<string, string>> = {
  "never-sent": "There was no connection to the service.",
  "account-busy": "Another entry for the same account did not end in time.",
  "process-ended": "The program ended before the request was sent.",
  credentials: "There was no valid token.",
  cancelled: "The request was canceled before it was sent.",
  "run-paused": "The run paused before the request was sent.",
  "run-stopped": "The run stopped before the request was sent.",
  "team-away": "The team's database did not answer, so the request was not sent.",
  "team-refused": "The team's ledger refused the request, so it was not sent.",
  "not-approved": "A second person has not approved the request, so it was not sent.",
  deadline: "The time limit for all attempts was reached before the request was sent.",
  "sent-before": "The same item was sent before, and might have taken effect.",
};

function unsentWords(reason: string | null): string | null {
  return unsentBecause[reason ?? ""] ?? null;
}

const maxErrors = 5;

function joined(parts: readonly string[]): string {
  return parts
    .map((part, at) => (at < parts.length - 1 ? part.replace(/[.\s]+$/, "") : part))
    .join("; ");
}

/**
 * Describes a rejection of this row (INTERFACE 7): the errors about the row or the whole request,
 * and their codes in `codes`. If there are none, describes the errors about other rows, and `codes`
 * is empty. Returns null if the response has no error text.
 */
function rejectionOf({ response, operation, position }: DetailFacts) {
  if (response === null) return null;
  const { detail, errors } = readErrorBody(response);
  const field = isOperation(operation) ? kindOf(operation).itemsField : null;
  const all = errors.map((error) => describedError(error, field));
  const rowErrors =
    position === null ? all : all.filter(({ item }) => item === null || item === position);
  const shown = rowErrors.length > 0 ? rowErrors : all;
  const isOfOthers = rowErrors.length === 0 && all.length > 0;
  const listed = shown.slice(0, maxErrors).map(({ words }) => words);
  if (shown.length > maxErrors) listed.push(`and ${shown.length - maxErrors} more`);
  // The errors come first, because the general message is the same for every rejection.
  const words = [...listed, ...(detail === undefined ? [] : [detail])].filter(
    (part) => part !== "",
  );
  if (words.length === 0) return null;
  return {
    words: `${isOfOthers ? "Another row of the same request was rejected: " : ""}${joined(words)}`,
    codes: rowErrors.flatMap(({ code }) => (code === null ? [] : [code])),
  };
}

/**
 * Returns an error in words, with its code and the index of its item (`item`). The index is null if
 * the error is about the whole request. `field` is the field with the items of the request.
 */
function describedError({ attr, code, detail }: FieldError, field: string | null) {
  const itemPath =
    field === null ? null : new RegExp(`^${field}\\.(\\d+)(?:\\.|$)`).exec(attr ?? "");
  const name = itemPath === null ? (attr ?? "") : (attr ?? "").slice(itemPath[0].length);
  const message = code === null ? detail : `${detail.replace(/[.\s]+$/, "")} (${code})`;
  const words = name === "" ? message : `${name}: ${message}`;
  return { item: itemPath === null ? null : Number(itemPath[1]), code, words };
}

/**
 * Returns the latest error of a supply point's import process as `domain/code` (INTERFACE 2).
 * Returns an empty array if the response has none.
 */
function latestErrorOf({ operation, response }: DetailFacts): readonly string[] {
  if (operation !== operationOf("supply-points") || response === null) return [];
  const process = jsonOf(response);
  const error = isRecord(process) ? process.latest_error : null;
  if (!isRecord(error)) return [];
  const { domain, code } = error;
  return typeof domain === "string" && typeof code === "string" ? [`${domain}/${code}`] : [];
}
