/** How one attempt of an entry ended, in words; one source for the console and the commands. */
import type { ServiceError } from "../../api/errors.ts";
import { capital, unreachableWords } from "../../text/connection-words.ts";

import { formatDuration } from "../../text/durations.ts";
import { safe } from "../../text/sanitise.ts";
import type { AttemptFacts } from "../send/events.ts";

const situations: Readonly<Record<string, string>> = {
  sending: "being sent",
  confirmed: "confirmed",
  "never-sent": "not sent",
  "no-answer": "no answer",
};

/** For example `answered 201 after 12 ms`, or `no answer after 3 s: the connection broke …`. */
export function attemptWords(end: AttemptFacts): string {
  const { outcome, httpStatus, code, startedAt, endedAt } = end;
  const span = endedAt === null ? null : formatDuration(Math.max(0, endedAt - startedAt));
  const after = span === null || outcome === "never-sent" ? "" : ` after ${span}`;
  const detail = end.detail === null ? null : asClause(end.detail);
  if (httpStatus !== null) {
    const named = code === null ? "" : ` (${safe(code)})`;
    return `answered ${httpStatus}${named}${after}${detail === null ? "" : `: ${detail}`}`;
  }
  const what = situations[outcome] ?? safe(outcome);
  return `${what}${after}${detail === null ? "" : `: ${detail}`}`;
}

/** What the status of an answer leaves open about the end of an attempt; null where it says everything. */
export function attemptDetail(error: ServiceError | null): string | null {
  if (error === null) return null;
  const { httpStatus, sent, systemCode } = error.facts;
  switch (error.kind) {
    case "unreadable":
    case "other-item":
    case "too-large":
      return error.message;
    case "cancelled":
      return "It was canceled.";
    case "unreachable": {
      const code = systemCode === undefined ? "" : ` (${systemCode})`;
      if (sent === true) return `The connection broke before the answer came${code}.`;
      const words = unreachableWords(systemCode);
      return words === null ? error.message : `${capital(words)}${code}.`;
    }
    default:
      // What answered the token call is not an answer to this request.
      return httpStatus !== undefined && sent !== false ? null : error.message;
  }
}

/** A sentence as it stands after a colon; names and abbreviations keep their capitals. */
function asClause(sentence: string): string {
  const text = safe(sentence).replace(/\.$/, "");
  return /^[A-Z][a-z]* /.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}
