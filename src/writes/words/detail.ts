/**
 * Explains the outcome of an entry or a row in words: the service's message, or supplyline's own.
 */
import { readErrorBody } from "../../api/error-body.ts";
import type { FieldError } from "../../api/errors.ts";
import { isRecord, jsonOf } from "../../json/exact.ts";
import type { ActivityOutcome } from "../activity.ts";
import { isOperation, kindOf, operationOf } from "../kinds/kinds.ts";

export interface DetailFacts {
  readonly outcome: ActivityOutcome;
  readonly operation: string;
  /** The position of the row's item in its request, or null for the whole request. */
  readonly position: number | null;
  readonly itemOutcome: string | null;
  readonly reason: string | null;
  readonly doubt: string;
  readonly httpStatus: number | null;
  /** The body of the last response (untrusted), or null if there is none. */
  readonly response: string | null;
  /**
   * The journal's note about the closing, the verification or the duplicate guard, or null if there
   * is none.
   */
  readonly remark: string | null;
}

/** The explanation of an outcome. All texts are untrusted. */
export interface Detail {
  /** The explanation, or null if there is nothing to add. */
  readonly words: string | null;
  /** The error codes of a refusal, and the latest error of a supply point as `domain/code`. */
  readonly errorCodes: readonly string[];
}

export function detailOf(facts: DetailFacts): Detail {
  const refusal = facts.outcome === "rejected" ? refusalOf(facts) : null;
  return {
    words: wordsOf(facts, refusal?.words ?? null),
    errorCodes: [...(refusal?.codes ?? []), ...latestErrorOf(facts)],
  };
}

function wordsOf(facts: DetailFacts, refusal: string | null): string | null {
  switch (facts.outcome) {
    case "confirmed":
      return facts.reason === "looked-up" ? "Found at the service." : null;
    case "sending":
      return null;
    case "rejected":
      return rejectedWords(facts, refusal);
    case "retryable":
      return retryableWords(facts);
    case "unknown":
      return unknownWords(facts);
    case "unsent":
      // The remark of the duplicate guard names the earlier entry.
      return facts.remark ?? unsentWords(facts.reason);
    case "closed":
      return facts.remark === null || facts.remark === "" ? null : facts.remark;
  }
}

function rejectedWords(facts: DetailFacts, refusal: string | null): string {
  if (facts.itemOutcome === "not-reached") {
    return "Not reached: the service refused an earlier row of the same request.";
  }
  if (facts.reason === "refused-before") {
    return "The service refused this form before, so it was not sent again.";
  }
  const effect = facts.doubt === "none" ? "" : "It might have taken effect. ";
  if (refusal !== null) return effect + refusal;
  return facts.httpStatus === null
    ? `${effect}The service refused it.`
    : `${effect}The service refused it (${facts.httpStatus}) without a reason.`;
}

function retryableWords({ httpStatus, doubt, reason }: DetailFacts): string {
  if (doubt === "vendor") {
    return "The vendor failed (500) each time; it might have taken effect. It is sent again only when you resend it.";
  }
  if (reason === "deadline")
    return "The time limit for all attempts was reached; it had no effect.";
  if (httpStatus === 429) return "There were too many requests (429); it had no effect.";
  if (httpStatus !== null && httpStatus >= 300 && httpStatus < 400) {
    return `The service answered with a redirect (${httpStatus}), which is never followed; it might have taken effect.`;
  }
  return "It failed and had no effect; you can send it again unchanged.";
}

const unknownBecause: Readonly<Record<string, string>> = {
  "process-ended": "The program ended while it was being sent",
  "no-answer": "No complete response arrived",
  deadline: "The time limit for all attempts was reached",
  cancelled: "It was canceled while its outcome was open",
  "run-paused": "The run paused before the outcome was checked",
  "run-stopped": "The run stopped before the outcome was checked",
  "not-recorded": "A response arrived, but could not be recorded",
};

function unknownWords(facts: DetailFacts): string {
  const { operation, reason, httpStatus } = facts;
  const why =
    unknownBecause[reason ?? ""] ??
    (httpStatus === null ? "No complete response arrived" : `The service answered ${httpStatus}`);
  const readBack = isOperation(operation) ? kindOf(operation).readBack : null;
  const where = readBack?.by === "nothing" ? ` Look at ${readBack.where}.` : "";
  return `${why}; it might have taken effect.${where}`;
}

const unsentBecause: Readonly<Record<string, string>> = {
  "never-sent": "There was no connection to the service.",
  "account-busy": "Another write to the same account did not end in time.",
  "process-ended": "The program ended before it was sent.",
  credentials: "There was no valid token.",
  cancelled: "It was stopped before it was sent.",
  "run-paused": "The run paused before it was sent.",
  "run-stopped": "The run stopped before it was sent.",
  deadline: "The time limit for all attempts was reached before it was sent.",
  "sent-before": "The same item was sent before, and might have taken effect.",
};

function unsentWords(reason: string | null): string | null {
  return unsentBecause[reason ?? ""] ?? null;
}

const maxErrors = 5;

/** Returns the part of a refusal that is about this row (INTERFACE 7), or null if there is none. */
function refusalOf({ response, operation, position }: DetailFacts) {
  if (response === null) return null;
  const { detail, errors } = readErrorBody(response);
  const field = isOperation(operation) ? kindOf(operation).itemsField : null;
  const about = errors.map((error) => placed(error, field));
  const mine = position === null ? about : about.filter(({ at }) => at === null || at === position);
  const shown = mine.length > 0 ? mine : about;
  const others = mine.length === 0 && about.length > 0;
  const listed = shown.slice(0, maxErrors).map(({ words }) => words);
  if (shown.length > maxErrors) listed.push(`and ${shown.length - maxErrors} more`);
  const words = [...(detail === undefined ? [] : [detail]), ...listed].filter(
    (part) => part !== "",
  );
  if (words.length === 0) return null;
  return {
    words: `${others ? "Another row of the same request was refused: " : ""}${words.join("; ")}`,
    codes: mine.flatMap(({ code }) => (code === null ? [] : [code])),
  };
}

/**
 * Formats an error, and returns the index of its item, or null if the error is about the whole
 * request.
 */
function placed({ attr, code, detail }: FieldError, field: string | null) {
  const item = field === null ? null : new RegExp(`^${field}\\.(\\d+)(?:\\.|$)`).exec(attr ?? "");
  const name = item === null ? (attr ?? "") : (attr ?? "").slice(item[0].length);
  const words = `${name === "" ? "" : `${name}: `}${detail}${code === null ? "" : ` (${code})`}`;
  return { at: item === null ? null : Number(item[1]), code, words };
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
