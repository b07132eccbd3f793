import type { ActivityDetail } from "../../writes/activity-detail.ts";
import type { WriteResult } from "../../writes/submit.ts";
import { meaningWords } from "../../writes/words/outcomes.ts";

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
