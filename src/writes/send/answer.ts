/** What one attempt came to, from its answer or its failure: pure. */
import { ServiceError } from "../../api/errors.ts";
import { retryAfterOf } from "../../api/retry.ts";
import {
  type AttemptEnd,
  decide,
  type Ended,
  mayPass,
  situationOf,
  situationOfStatus,
  type Verdict,
} from "../decide.ts";
import type { AttemptRecord } from "../journal/changes.ts";
import type { Reason, StopReason } from "../journal/entry.ts";
import type { BodyFacts, Confirmation, Item, Refusal } from "../kinds/kind.ts";
import { kindOf } from "../kinds/kinds.ts";
import { allItems, codeOf } from "../kinds/results.ts";
import type { Situation } from "../retry-table.ts";
import { attemptDetail } from "../words/events.ts";
import type { Sent } from "./request.ts";
import type { Known, Moment } from "./state.ts";

export interface Judged {
  readonly known: Known;
  readonly verdict: Verdict;
  /** Not on record yet. */
  readonly attempt: AttemptRecord;
  /** The answer belongs to another request. */
  readonly isOfOther: boolean;
}

export function judge(before: Known, sent: Sent, startedAt: number, moment: Moment): Judged {
  const { entry, write, doubt, vendorFailures, resendsLeft } = before;
  const { operation } = entry;
  const { deduplicated, facts } = write;
  const kind = kindOf(operation);
  const answer = answerOf(write.path, sent);
  const read =
    answer.kind === "success" ? kind.confirmation(facts, answer.httpStatus, answer.body) : null;
  const confirmed = read?.kind === "confirmed" ? read : null;
  const error = answer.kind === "failure" ? answer.error : unconfirmed(answer, read);
  const situation: Situation = answer.kind === "failure" ? answer.situation : "no-answer";
  const { httpStatus, body } = answer;
  const refusal = situation === "400" ? kind.refusal(facts, body ?? "") : null;
  const code = confirmed ? null : (error?.facts.code ?? codeOf(body ?? ""));
  const end: AttemptEnd = confirmed ?? {
    kind: "failed",
    situation,
    mayPass: error !== null && mayPass(error) && moment.stopped === null,
    askedMs: error === null ? null : retryAfterOf(error),
    partly: refusal?.partly ?? false,
    alreadyThere: code !== null && code === kind.existsCode,
  };
  const verdict = decide({ operation, deduplicated, doubt, vendorFailures, resendsLeft }, end);
  const known: Known = {
    ...before,
    doubt: verdict.doubt,
    vendorFailures: verdict.vendorFailures,
    state: verdict.state,
    reason: confirmed ? "answered" : reasonOf(situation, error, moment.stopped),
    items: confirmed?.items ?? itemsOf(facts, verdict.state, doubt === "none" ? refusal : null),
    httpStatus: httpStatus ?? before.httpStatus,
    code,
    response: body,
    error,
    lastEndedAt: moment.now,
  };
  const attempt: AttemptRecord = {
    n: before.n,
    startedAt,
    headersSentAt: sent.headersSentAt,
    endedAt: moment.now,
    outcome: confirmed ? "confirmed" : situation,
    httpStatus,
    code,
    response: body,
    detail: attemptDetail(error, moment.stopped),
  };
  return { known, verdict, attempt, isOfOther: read?.kind === "other-item" };
}

type Answer =
  | { readonly kind: "success"; readonly httpStatus: number; readonly body: string }
  | {
      readonly kind: "failure";
      readonly situation: Situation;
      readonly error: ServiceError;
      readonly httpStatus: number | null;
      readonly body: string | null;
    };

function answerOf(path: string, sent: Sent): Answer {
  if (sent.kind === "failure") {
    const { error } = sent;
    const situation = situationOf(error);
    // An answer to the token call is not an answer to this write.
    const mine = situation !== "never-sent";
    return {
      kind: "failure",
      situation,
      error,
      httpStatus: mine ? (error.facts.httpStatus ?? null) : null,
      body: mine ? (error.facts.body ?? null) : null,
    };
  }
  const { httpStatus, body } = sent.answer;
  const situation = situationOfStatus(httpStatus);
  if (situation === null) return { kind: "success", httpStatus, body };
  const kind = situation === "400" ? "rejected" : "unexpected-status";
  const facts = { httpStatus, body, sent: true, url: path };
  const error = new ServiceError(kind, `the service answered ${httpStatus}`, facts);
  return { kind: "failure", situation, error, httpStatus, body };
}

/** Why a success confirms nothing; null when it does. */
function unconfirmed(
  { httpStatus, body }: { readonly httpStatus: number; readonly body: string },
  read: Confirmation | null,
): ServiceError | null {
  const facts = { httpStatus, body, sent: true };
  switch (read?.kind) {
    case "other-item":
      return new ServiceError("other-item", read.difference, facts);
    case "unreadable": {
      const words = "The answer does not name everything that was sent.";
      return new ServiceError("unreadable", words, facts);
    }
    default:
      return null;
  }
}

function reasonOf(
  situation: Situation,
  error: ServiceError | null,
  stopped: StopReason | null,
): Reason {
  if (stopped !== null && (situation === "never-sent" || situation === "no-answer")) return stopped;
  if (situation === "no-answer") return "no-answer";
  if (situation !== "never-sent") return "answered";
  const credentials = ["credentials", "unauthorized", "forbidden"];
  return credentials.includes(error?.kind ?? "") ? "credentials" : "never-sent";
}

function itemsOf(facts: BodyFacts, state: Ended, refusal: Refusal | null): readonly Item[] {
  switch (state) {
    case "unknown":
    case "rejected":
      return refusal?.items ?? allItems(facts, state);
    case "unsent":
    case "confirmed":
    case "retryable":
      return [];
  }
}
