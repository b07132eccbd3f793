/** One attempt: on record as being sent, sent, judged, and its end on record. */
import { ServiceError } from "../../api/errors.ts";
import { retryAfterOf } from "../../api/retry.ts";
import { mayPass, situationOf, situationOfStatus } from "../classify.ts";
import { type AttemptEnd, decide, type Verdict } from "../decide.ts";
import { askGuard, barOf, barredError, barWords } from "../guard.ts";
import { type AttemptRecord, beginAttempt, keepUnsent } from "../journal/changes.ts";
import { releaseClaim, renewClaim } from "../journal/claims.ts";
import { type Reason, readEntry } from "../journal/entry.ts";
import type { Rows } from "../journal/rows.ts";
import { operations } from "../operations.ts";
import { codeOf } from "../outcomes/answer-json.ts";
import { type Confirmation, readConfirmation } from "../outcomes/confirmation.ts";
import { allItems, alreadyImported, type Refusal, readRefusal } from "../outcomes/refusal.ts";
import type { Situation } from "../retry-table.ts";
import { attemptDetail } from "../words/attempts.ts";
import { tell } from "./options.ts";
import { type Begun, type Run, yieldTo } from "./run.ts";
import { type Sent, sendOnce } from "./send-once.ts";

export interface Attempted {
  readonly verdict: Verdict;
  /** Not on record yet. */
  readonly attempt: AttemptRecord;
}

/**
 * Makes one attempt and takes its outcome into the run; the caller puts that on record. Null, with
 * nothing sent, when another process has taken the entry over meanwhile, or when the duplicate guard
 * keeps it back (`run.bar`). Rejects with WriteError where the guard keeps back a resend.
 */
export async function makeAttempt(run: Run): Promise<Attempted | null> {
  const { context, entry, options, write } = run;
  const { clock, journal, service } = context;
  const begun = run.begun ?? (await journal.commit((rows) => beginInCommit(run, rows)));
  run.begun = null;
  if (run.bar !== null) return null;
  if (begun === null) {
    const taken = journal.read((rows) => readEntry(rows, entry.id));
    yieldTo(run, taken);
    return null;
  }
  const { n, startedAt } = begun;
  const timeoutMs = Math.max(1, Math.min(run.limits.timeoutMs, run.deadline - startedAt));
  run.n = n;
  run.made += 1;
  await options.atPoint?.("attempt-committed");
  const until = startedAt + timeoutMs;
  tell(options, { kind: "sending", journalId: entry.id, n, at: startedAt, until });
  const sent = await sendOnce({
    service,
    clock,
    signal: options.signal,
    timeoutMs,
    request: {
      path: write.path,
      query: write.query,
      body: write.body,
      freshConnection: operations[entry.operation].readBack.by === "nothing",
    },
    onHeadersSent: () => {
      tell(options, { kind: "headers-sent", journalId: entry.id, n });
      void options.atPoint?.("headers-sent");
    },
  });
  await options.atPoint?.("answered");
  return judge(run, sent, startedAt);
}

/**
 * Puts the next attempt on record as being sent; null when the entry is not ours any more, or when
 * the duplicate guard keeps it back, which is on record then.
 */
export function beginInCommit(run: Run, rows: Rows): Begun | null {
  const { context, entry } = run;
  const { clock, process } = context;
  const startedAt = clock.now();
  if (keptBack(run, rows)) return null;
  renewClaim(rows, entry.id, process.self, startedAt);
  const n = beginAttempt(rows, entry.id, process.self, startedAt);
  return n === null ? null : { n, startedAt };
}

/**
 * Asks the duplicate guard once more, now that no other write to the account can come between: a twin
 * that went first may have been confirmed or refused since this one was recorded. What was never sent
 * ends as unsent; a resend throws WriteError and stays as it was.
 */
function keptBack(run: Run, rows: Rows): boolean {
  const { context, entry, write, options } = run;
  // Later attempts of this run are the retry table's: the account lock keeps twins out meanwhile.
  if (run.made > 0 || options.again !== undefined) return false;
  const { baseUrl } = entry;
  const bar = barOf(askGuard(rows, { baseUrl, write }, entry.id));
  run.bar = bar;
  if (bar === null) return false;
  if (run.state !== "unsent") throw barredError(bar);
  run.reason = bar.kind;
  const at = context.clock.now();
  keepUnsent(rows, entry.id, { reason: bar.kind, words: barWords(bar), at });
  releaseClaim(rows, entry.id, context.process.self);
  return true;
}

function judge(run: Run, sent: Sent, startedAt: number): Attempted {
  const { entry, write } = run;
  const answer = answerOf(run, sent);
  const read =
    answer.kind === "success" ? readConfirmation(write, answer.httpStatus, answer.body) : null;
  const confirmed = read?.kind === "confirmed" ? read : null;
  const error = answer.kind === "failure" ? answer.error : unconfirmed(answer, read);
  // The answer belongs to another request: a connection that has lost its place is not used again.
  if (read?.kind === "other-item") run.context.service.renewConnections();
  const situation: Situation = answer.kind === "failure" ? answer.situation : "no-answer";
  const body = answer.body;
  const refusal = situation === "400" ? readRefusal(write, body ?? "") : null;
  const code = confirmed ? null : (error?.facts.code ?? codeOf(body ?? ""));
  const end: AttemptEnd = confirmed ?? {
    kind: "failed",
    situation,
    mayPass: error !== null && mayPass(error) && !run.options.signal.aborted,
    askedMs: error === null ? null : retryAfterOf(error),
    partly: refusal?.partly ?? false,
    alreadyThere: entry.operation === "supply-points create" && code === alreadyImported,
  };
  const { doubt, vendorFailures, resendsLeft } = run;
  const { operation } = entry;
  const { deduplicated } = write;
  const verdict = decide({ operation, deduplicated, doubt, vendorFailures, resendsLeft }, end);

  run.doubt = verdict.doubt;
  run.vendorFailures = verdict.vendorFailures;
  run.state = verdict.state;
  run.error = error;
  run.httpStatus = answer.httpStatus ?? run.httpStatus;
  run.code = code;
  run.response = body;
  run.reason = reasonOf(run, situation, confirmed !== null);
  run.items = confirmed?.items ?? itemsOf(run, doubt === "none" ? refusal : null);
  run.lastEndedAt = run.context.clock.now();
  const attempt: AttemptRecord = {
    n: run.n,
    startedAt,
    headersSentAt: sent.headersSentAt,
    endedAt: run.lastEndedAt,
    outcome: confirmed ? "confirmed" : situation,
    httpStatus: answer.httpStatus,
    code,
    response: body,
    detail: attemptDetail(error),
  };
  return { verdict, attempt };
}

type Heard =
  | { readonly kind: "success"; readonly httpStatus: number; readonly body: string }
  | {
      readonly kind: "failure";
      readonly situation: Situation;
      readonly error: ServiceError;
      readonly httpStatus: number | null;
      readonly body: string | null;
    };

function answerOf(run: Run, sent: Sent): Heard {
  if (sent.kind === "failure") {
    const { error } = sent;
    const situation = situationOf(error);
    // What was said to the token call is not an answer to this write.
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
  const facts = { httpStatus, body, sent: true, url: run.write.path };
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

function reasonOf(run: Run, situation: Situation, confirmed: boolean): Reason {
  if (confirmed) return "answered";
  if (run.options.signal.aborted && (situation === "never-sent" || situation === "no-answer")) {
    return "cancelled";
  }
  if (situation === "no-answer") return "no-answer";
  if (situation !== "never-sent") return "answered";
  const credentials = ["credentials", "unauthorized", "forbidden"];
  return credentials.includes(run.error?.kind ?? "") ? "credentials" : "never-sent";
}

function itemsOf(run: Run, refusal: Refusal | null): Run["items"] {
  switch (run.state) {
    case "unknown":
      return refusal?.items ?? allItems(run.write, "unknown");
    case "rejected":
      return refusal?.items ?? allItems(run.write, "rejected");
    default:
      return [];
  }
}
