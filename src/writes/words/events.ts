/** Describes the events of an entry while it is sent, for the console and the commands. */

import { errorOrigins, type ServiceError } from "../../api/errors.ts";
import { capital, unreachableWords } from "../../text/connection-words.ts";
import { formatDuration, waitText } from "../../text/durations.ts";
import { safe } from "../../text/sanitize.ts";
import type { StopReason } from "../journal/entry.ts";
import type { AttemptFacts, SubmitEvent } from "../send/events.ts";
import { findingWords } from "./team.ts";

/** Returns an event's sentence, or null for the outcome. `now` is null for the past. */
export function eventWords(event: SubmitEvent, now: number | null): string | null {
  switch (event.kind) {
    case "queued":
      return `Recorded as journal entry ${event.journalId}.`;
    case "waiting-for-account":
      return `Entry ${event.behind} (process ${event.pid}) is sent to the same account first.`;
    case "waiting-for-colleague": {
      const { person, machine } = event.entry;
      return `${safe(person)} on ${safe(machine)} is sending to the same account first.`;
    }
    case "sent-by-colleague":
      return `${findingWords(event.finding, event.write)} The service does not add it twice.`;
    case "looking-up":
      return event.purpose === "before"
        ? "Checking whether the service has it already."
        : "Checking whether it exists now.";
    case "found-before":
      return `An import process already exists: ${safe(event.process.status)}, created ${safe(event.process.created_at ?? "at an unknown time")}. The service decides.`;
    case "sending":
      return event.n === 1
        ? "Attempt 1: sending."
        : `Attempt ${event.n}: sending the same bytes again.`;
    case "headers-sent":
      return `Attempt ${event.n}: sent, waiting for the response.`;
    case "attempt-ended":
      return `Attempt ${event.n}: ${attemptWords(event.end)}.`;
    case "waiting":
      return waitingWords(event, now);
    case "outcome":
      return null;
  }
}

/** Describes the effect of stopping an entry in progress with the key of the name `key`. */
export function stopWords(isSent: boolean, key: string): string {
  return isSent
    ? `${key} stops waiting; its outcome is then unknown.`
    : `${key} stops it; nothing has been sent yet.`;
}

function waitingWords(
  { why, before, until }: Extract<SubmitEvent, { kind: "waiting" }>,
  now: number | null,
): string {
  const then = {
    send: "sending it",
    resend: "sending the same bytes again",
    "look-up": "checking whether it exists",
  }[before];
  const because = {
    settle: ", because the last request might still be running",
    "rate-limit": ", as the service asks",
    "back-off": "",
  }[why];
  if (now === null) return `Waited before ${then}${because}.`;
  return `Waiting ${waitText(Math.max(0, until - now))} before ${then}${because}.`;
}

const outcomeTexts: Readonly<Record<string, string>> = {
  sending: "being sent",
  confirmed: "confirmed",
  "never-sent": "not sent",
  "no-answer": "no answer",
};

/** Describes an attempt: `answered 201 after 12 ms`, `no answer after 3 s: the connection …`. */
export function attemptWords(end: AttemptFacts): string {
  const { outcome, httpStatus, code, startedAt, endedAt } = end;
  const span = endedAt === null ? null : formatDuration(Math.max(0, endedAt - startedAt));
  const after = span === null || outcome === "never-sent" ? "" : ` after ${span}`;
  const detail = end.detail === null ? null : asClause(end.detail);
  if (httpStatus !== null) {
    const codeText = code === null ? "" : ` (${safe(code)})`;
    return `answered ${httpStatus}${codeText}${after}${detail === null ? "" : `: ${detail}`}`;
  }
  const outcomeText = outcomeTexts[outcome] ?? safe(outcome);
  return `${outcomeText}${after}${detail === null ? "" : `: ${detail}`}`;
}

const stopDetails: Readonly<Record<StopReason, string>> = {
  cancelled: "It was canceled.",
  "run-paused": "The run paused.",
  "run-stopped": "The run stopped.",
};

/**
 * Returns a sentence that explains the failure of an attempt, or null if the HTTP status explains
 * it. `stopped` is the reason why the entry was not sent again, or null.
 */
export function attemptDetail(
  error: ServiceError | null,
  stopped: StopReason | null,
): string | null {
  if (error === null) return null;
  const { httpStatus, sent } = error.facts;
  switch (errorOrigins[error.kind]) {
    case "body":
      return error.message;
    case "cancelled":
      return stopDetails[stopped ?? "cancelled"];
    case "status":
    case "connection":
    case "silence":
    case "caller": {
      if (error.kind === "unreachable") return unreachableDetail(error);
      // A response to the token call is not a response to this request.
      return httpStatus !== undefined && sent !== false ? null : error.message;
    }
  }
}

function unreachableDetail({ message, facts: { sent, systemCode } }: ServiceError): string {
  const code = systemCode === undefined ? "" : ` (${systemCode})`;
  if (sent === true) return `The connection broke before the response arrived${code}.`;
  const words = unreachableWords(systemCode);
  return words === null ? message : `${capital(words)}${code}.`;
}

/** Formats a sentence for use after a colon. Names and abbreviations keep their capitals. */
export function asClause(sentence: string): string {
  const text = safe(sentence).replace(/\.$/, "");
  return /^[A-Z][a-z]* /.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}
