/** Classifies the response or the failure of one attempt. Pure functions. */
import { ServiceError } from "../../api/errors.ts";
import { retryAfterOf } from "../../api/retry.ts";
import {
  type AttemptEnd,
  decide,
  type Ended,
  isRetryableError,
  situationOf,
  situationOfStatus,
  type Verdict,
} from "../decide.ts";
import type { AttemptRecord } from "../journal/changes.ts";
import type { Reason, StopReason } from "../journal/entry.ts";
import { allItems } from "../kinds/bodies.ts";
import type { BodyFacts, Item, Refusal } from "../kinds/kind.ts";
import { kindOf } from "../kinds/kinds.ts";
import { codeOf, type Proof, readResponse } from "../kinds/read-response.ts";
import type { AttemptFailure } from "../retry-table.ts";
import { attemptDetail } from "../words/events.ts";
import type { Sent } from "./request.ts";
import type { Moment, SendFacts } from "./state.ts";

export interface ClassifiedResponse {
  readonly known: SendFacts;
  readonly verdict: Verdict;
  /** The ended attempt, which is not recorded yet. */
  readonly attempt: AttemptRecord;
  /**
   * True if the response might belong to another request, because then the connection might be out
   * of step.
   */
  readonly renewsConnections: boolean;
}

export function classifyResponse(
  before: SendFacts,
  sent: Sent,
  startedAt: number,
  moment: Moment,
): ClassifiedResponse {
  const { entry, write, doubt, vendorFailures, resendsLeft } = before;
  const { operation } = entry;
  const { deduplicated, facts } = write;
  const kind = kindOf(operation);
  const received = receivedOf(write.path, sent);
  const { httpStatus, body } = received;
  const proof = isComplete(received)
    ? readResponse(kind, facts, received.httpStatus, body ?? "")
    : ({ kind: "status" } as const);
  const confirmed = proof.kind === "confirmed" ? proof : null;
  const error = unprovenOf(received, proof) ?? received.error;
  const situation = error === null ? "no-answer" : situationOf(error);
  const refusal = proof.kind === "refused" ? proof.refusal : null;
  const code = confirmed ? null : (error?.facts.code ?? codeOf(body ?? ""));
  const end: AttemptEnd = confirmed ?? {
    kind: "failed",
    situation,
    isRetryable: error !== null && isRetryableError(error) && moment.stopped === null,
    retryAfterMs: error === null ? null : retryAfterOf(error),
    partly: refusal?.partly ?? false,
    alreadyExists: code !== null && code === kind.existsCode,
  };
  const verdict = decide({ operation, deduplicated, doubt, vendorFailures, resendsLeft }, end);
  const known: SendFacts = {
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
    lastEndedAt: moment.elapsed,
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
  return { known, verdict, attempt, renewsConnections: proof.kind === "nothing" };
}

interface Received {
  readonly httpStatus: number | null;
  readonly body: string | null;
  /** The error of the response or of the call, or null for a success. */
  readonly error: ServiceError | null;
}

function receivedOf(path: string, sent: Sent): Received {
  if (sent.kind === "failure") {
    const { error } = sent;
    // A response to the token call is not a response to this write.
    if (situationOf(error) === "never-sent") return { httpStatus: null, body: null, error };
    return { httpStatus: error.facts.httpStatus ?? null, body: error.facts.body ?? null, error };
  }
  const { httpStatus, body } = sent.answer;
  const situation = situationOfStatus(httpStatus);
  if (situation === null) return { httpStatus, body, error: null };
  const kind = situation === "400" ? "rejected" : "unexpected-status";
  const facts = { httpStatus, body, sent: true, url: path };
  const error = new ServiceError(kind, `the service answered ${httpStatus}`, facts);
  return { httpStatus, body, error };
}

/** Returns true if there is a complete response. A success that broke off proves nothing. */
function isComplete(received: Received): received is Received & { readonly httpStatus: number } {
  const { httpStatus, error } = received;
  return httpStatus !== null && (error === null || situationOfStatus(httpStatus) !== null);
}

/** Returns the error for a response that proves less than its status, or null for another. */
function unprovenOf({ httpStatus, body, error }: Received, proof: Proof): ServiceError | null {
  if (proof.kind !== "nothing" && (proof.kind !== "incomplete" || error !== null)) return null;
  // The message of a response for another item is not about this item.
  const { method, url, retryAfterMs } = error?.facts ?? {};
  const facts = { method, url, retryAfterMs, sent: true, httpStatus: httpStatus ?? undefined };
  const [kind, why] =
    proof.kind === "nothing" ? [proof.because, proof.why] : (["unreadable", proof.why] as const);
  return new ServiceError(kind, why, { ...facts, body: body ?? undefined });
}

function reasonOf(
  situation: AttemptFailure,
  error: ServiceError | null,
  stopped: StopReason | null,
): Reason {
  if (stopped !== null && (situation === "never-sent" || situation === "no-answer")) return stopped;
  if (situation === "no-answer") return "no-answer";
  if (situation !== "never-sent") return "answered";
  const credentialErrors = ["credentials", "unauthorized", "forbidden"];
  return credentialErrors.includes(error?.kind ?? "") ? "credentials" : "never-sent";
}

/** Returns the outcomes of the items after a failed attempt. Empty if no item had an effect. */
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
