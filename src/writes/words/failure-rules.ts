/**
 * Describes the consequence of each failure of a request, so that users can read the retry table.
 */
import { maxRetryAfterMs } from "../../api/rate-limit.ts";
import type { Operation } from "../kinds/kind.ts";
import { type Call, isVendorRetry, kindOf, retriesOf } from "../kinds/kinds.ts";
import { type AttemptFailure, maxResends, maxVendorFailures, type Rule } from "../retry-table.ts";

interface FailureRule {
  readonly situations: readonly AttemptFailure[];
  readonly when: string;
  readonly then: string;
}

/** The conditions of a write that its failure rules depend on. Times are in milliseconds. */
export interface FailureTerms {
  readonly deduplicated: boolean;
  readonly settleMs: number;
  readonly totalMs: number;
}

const failureWords: Readonly<Record<AttemptFailure, string>> = {
  "never-sent": "it never left this machine",
  "no-answer": "no complete response arrives",
  "500": "the service fails (500)",
  "5xx": "a gateway fails (502, 503, 504)",
  "429": "there are too many requests (429)",
  "400": "the service rejects it (400)",
  "404": "the account or supply point is not found (404)",
  "401": "a renewed token is rejected too (401)",
  "403": "the token may not do this (403)",
  "3xx": "it is redirected (3xx)",
  "409": "it is in conflict with another request (409, 423)",
  "4xx": "it is rejected in another way (4xx)",
};

/** Returns the rules of a call, most important first. Equal consequences share a line. */
export function failureRules(call: Call, terms: FailureTerms): readonly FailureRule[] {
  const lines = new Map<string, AttemptFailure[]>();
  for (const situation of Object.keys(failureWords) as AttemptFailure[]) {
    const then = thenWords(call, situation, terms);
    lines.set(then, [...(lines.get(then) ?? []), situation]);
  }
  return Array.from(lines, ([then, situations]) => ({
    situations,
    when: `If ${situations.map((situation) => failureWords[situation]).join(", or ")}`,
    then,
  }));
}

export function failureSummary(call: Operation, terms: FailureTerms): string {
  const rule = effective(retriesOf(call)["no-answer"], terms);
  switch (rule) {
    case "resend":
      return `retried up to ${maxResends} times; then unknown, and verify finds out`;
    case "look-up":
      return "supplyline checks whether it exists; then confirmed or unknown";
    default: {
      const { readBack } = kindOf(call);
      const check = readBack.by === "nothing" ? `check ${readBack.where}` : "check the account";
      return `unknown, never retried without you; ${check}`;
    }
  }
}

function thenWords(call: Call, situation: AttemptFailure, terms: FailureTerms): string {
  const rule = effective(retriesOf(call)[situation], terms);
  const settleText = `${seconds(terms.settleMs)} later`;
  switch (rule) {
    case "resend":
      if (situation === "500" && isWrite(call) && isVendorRetry(call)) {
        return `the same bytes are sent again, ${maxVendorFailures} times in all; then you decide; it might have taken effect.`;
      }
      return situation === "never-sent"
        ? `it is sent again, up to ${maxResends} times; then it counts as not sent.`
        : `the same bytes are sent again ${settleText}, up to ${maxResends} times within ${seconds(terms.totalMs)}; then the outcome is unknown.`;
    case "wait-and-resend":
      return `it is sent again after the time the service asks for, up to ${seconds(maxRetryAfterMs)}.`;
    case "look-up":
      return `supplyline checks ${settleText} whether it exists: if so, it is confirmed, else the outcome is unknown.`;
    case "unknown":
      return `the outcome is unknown and it is not sent again automatically${readBackWords(call)}.`;
    case "stop-and-block":
      return "it is over, and this same form is not sent again.";
    case "answer":
    case "stop":
    case "resend-if-deduplicated":
      return situation === "409" && isWrite(call)
        ? "it is rejected, but might have taken effect; nothing is sent again."
        : "it is over; nothing is sent again.";
  }
}

function isWrite(call: Call): call is Operation {
  return call !== "read" && call !== "supply-points validate";
}

function effective(rule: Rule, terms: FailureTerms): Rule {
  if (rule !== "resend-if-deduplicated") return rule;
  return terms.deduplicated ? "resend" : "unknown";
}

/** Returns the place to check by hand if the write cannot be read back. Empty for others. */
function readBackWords(call: Call): string {
  if (!isWrite(call)) return "";
  const { readBack } = kindOf(call);
  return readBack.by === "nothing" ? `; it cannot be read back: look at ${readBack.where}` : "";
}

function seconds(ms: number): string {
  return `${Math.round(ms / 1000)} s`;
}
