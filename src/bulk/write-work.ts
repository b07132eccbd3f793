/**
 * Sends the rows of a run as jobs: reads them from the journal, and resends or verifies them if
 * that is safe.
 */
import { isServiceError, type ServiceError } from "../api/errors.ts";
import { maxRateLimitWaitMs } from "../api/rate-limit.ts";
import { type AppError, isAppError } from "../errors/app-error.ts";
import type { FormKind } from "../forms/forms.ts";
import { text, whole } from "../sqlite/rows.ts";
import { refuseUnsent, revertUnauthorized } from "../writes/journal/changes.ts";
import { type State, targetOf } from "../writes/journal/entry.ts";
import type { Operation } from "../writes/kinds/kind.ts";
import { isVendorRetry, kindOf, operationOf } from "../writes/kinds/kinds.ts";
import { accountLockOf } from "../writes/send/account-lock.ts";
import type { SendOptions, SubmitEvent, WriteContext, WriteResult } from "../writes/send/events.ts";
import { sendEntry } from "../writes/send/send-entry.ts";
import type { Unapproved } from "../writes/team/approvals.ts";
import { canAsk, unapprovedIn } from "../writes/team/request-approval.ts";
import { planVerification, verify } from "../writes/verify.ts";
import { notApproved } from "./approval.ts";
import type { Pause } from "./progress.ts";
import { rowsOfIntent } from "./rows.ts";
import type { OnCheckpoint, RunRow } from "./run-record.ts";
import type { AttemptObserver, Job, JobEnd, Work } from "./schedule/jobs.ts";

interface WriteJob extends Job {
  readonly id: number;
  /** The state of the entry when it was last read. */
  state: State;
  /** The running time since which another process keeps the account busy, or null. */
  busySince: number | null;
}

/** The options of sending a run. Times are in milliseconds. */
interface WriteWorkOptions {
  readonly timeoutMs: number | undefined;
  readonly settleMs: number;
  readonly patienceMs: number;
  readonly refusal: (() => string | null) | undefined;
  readonly onRow: (row: RunRow) => void;
  /** Called for a row that a new request can make approved. */
  readonly onUnapproved: () => void;
  /** Called while the team's database does not answer, and with null when it does again. */
  readonly onTeamAway: (pause: Pause | null) => void;
  readonly atPoint: OnCheckpoint | undefined;
}

/**
 * Maximum wait of one try for another process that writes to the same account, and the pause
 * between two tries, in milliseconds.
 */
const queueMs = 1_000;

/** The pause before a row is tried again while the team's database does not answer, in milliseconds. */
const teamPauseMs = 5_000;

const over: JobEnd = { kind: "over" };

/** SQL for the entries of a run that can be sent or verified, in the order of the input. */
const pending = `SELECT id, line, state, base_url, import_supplier, external_account_number,
  external_identifier, CASE WHEN state = 'unknown' THEN
    (SELECT max(coalesce(ended_at, started_at)) FROM attempt WHERE intent = intent.id) END AS last_ended
  FROM intent WHERE run = ? AND run IS NOT NULL
    AND state IN ('intent', 'unsent', 'unknown', 'retryable')
    AND (line, id) > (?, ?) AND (state <> 'retryable' OR doubt = 'none')
  ORDER BY line, id LIMIT ?`;

/** Creates a run's work: its unsettled entries as jobs, and the ways to send and verify them. */
export function writeWork(
  context: WriteContext,
  run: string,
  kind: FormKind,
  options: WriteWorkOptions,
): Work<WriteJob> {
  const { journal, clock, service } = context;
  const operation = operationOf(kind);
  const { readBack } = kindOf(operation);
  let after = { line: -1, id: -1 };
  /** The pause since which the team's database does not answer, or null if it does. */
  let away: { readonly elapsed: number; readonly at: number; readonly why: string } | null = null;

  const rowCount = (id: number) => journal.read((rows) => rowsOfIntent(rows, id)).length;

  const next = (count: number): readonly WriteJob[] => {
    const jobs: WriteJob[] = [];
    for (;;) {
      const rows = journal.read((open) => open.all(pending, run, after.line, after.id, count));
      for (const row of rows) {
        const id = whole(row, "id");
        const line = whole(row, "line");
        after = { line, id };
        const state = text(row, "state") as State;
        if (state === "unknown" && readBack.by === "nothing") continue;
        // A request without a response might still be running. A clock that was set back does not
        // lengthen the wait.
        const settledMs = state === "unknown" ? clock.now() - whole(row, "last_ended") : 0;
        const settleMs = state === "unknown" ? options.settleMs - Math.max(0, settledMs) : 0;
        jobs.push({
          id,
          line,
          state,
          key: accountLockOf(text(row, "base_url"), targetOf(row)),
          notBefore: settleMs > 0 ? clock.elapsed() + settleMs : 0,
          tries: 0,
          retryableRows: state === "retryable" ? rowCount(id) : 0,
          busySince: null,
        });
      }
      if (jobs.length > 0 || rows.length < count) return jobs;
    }
  };

  const report = (id: number) => {
    for (const row of journal.read((rows) => rowsOfIntent(rows, id))) options.onRow(row);
  };
  const reportSettled = async (id: number): Promise<void> => {
    report(id);
    await options.atPoint?.("row-settled");
  };

  const carryOut = async (job: WriteJob, observer: AttemptObserver): Promise<JobEnd> => {
    if ((options.refusal?.() ?? null) !== null) return { kind: "stop", end: { kind: "stopped" } };
    try {
      const result = await send(job, observer);
      if (result === null) return over;
      return await judge(job, result, observer);
    } catch (thrown) {
      if (isAppError(thrown, "journal"))
        return { kind: "stop", end: { kind: "journal", error: thrown } };
      if (isServiceError(thrown, "cancelled")) return again(0);
      if (isAppError(thrown, "write")) return endUnsent(job, thrown);
      if (isAppError(thrown, "team")) return waitForTeam(job, thrown);
      throw thrown;
    }
  };

  /** Sends or verifies a job. Returns null if there is nothing to judge. */
  const send = async (job: WriteJob, observer: AttemptObserver): Promise<WriteResult | null> => {
    const listening = listen(observer, operation);
    const sending: SendOptions = {
      signal: observer.signal,
      settleMs: options.settleMs,
      queueMs,
      onEvent: listening.onEvent,
      timeoutMs: options.timeoutMs,
      atPoint: options.atPoint,
    };
    let result: WriteResult | null;
    if (job.state === "unknown") {
      if (planVerification(context, job.id).kind === "impossible") return null;
      const verified = await verify(context, job.id, sending);
      result = verified.results.at(-1) ?? null;
      listening.ended(result);
      if (verified.plan !== "by-item") return result;
      // The result is the last single item's, not the entry's.
      if (verified.outcome === "unknown") return result && { ...result, outcome: "unknown" };
      await reportSettled(job.id);
      return null;
    }
    result = await sendEntry(context, job.id, ["intent", "unsent", "retryable"], sending);
    listening.ended(result);
    return result;
  };

  const teamAnswered = () => {
    if (away !== null) options.onTeamAway(null);
    away = null;
  };

  const judge = async (
    job: WriteJob,
    result: WriteResult,
    observer: AttemptObserver,
  ): Promise<JobEnd> => {
    const { outcome, error, journalError, mayHaveTakenEffect, reason } = result;
    if (journalError !== null)
      return { kind: "stop", end: { kind: "journal", error: journalError } };
    const { refusal } = result;
    if (refusal?.kind === "away" && outcome === "unsent") {
      job.state = "unsent";
      job.retryableRows = 0;
      return waitForTeam(job, refusal.error);
    }
    teamAnswered();
    if (refusal?.kind === "busy" && outcome === "unsent") {
      job.state = "unsent";
      job.retryableRows = 0;
      return waitForAccount(job);
    }
    job.busySince = null;
    const unapproved = unapprovedIn(result);
    if (unapproved !== null) return endUnapproved(job, unapproved);
    switch (outcome) {
      case "confirmed":
      case "closed":
        await reportSettled(job.id);
        return over;
      case "rejected":
        if (result.httpStatus === 401) {
          await journal.commit((rows) => revertUnauthorized(rows, job.id, clock.now()));
          return { kind: "stop", end: { kind: "credentials", error } };
        }
        await reportSettled(job.id);
        return over;
      case "unsent":
        if (reason === "refused-before" || reason === "sent-before") {
          // The service refused the same form before, so this row counts as rejected, too.
          if (reason === "refused-before")
            await journal.commit((rows) => refuseUnsent(rows, job.id, clock.now()));
          await reportSettled(job.id);
          return over;
        }
        if (reason === "team-refused") {
          await reportSettled(job.id);
          return over;
        }
        if (reason === "credentials") return { kind: "stop", end: { kind: "credentials", error } };
        if (error?.kind === "invalid-request") return over;
        job.state = "unsent";
        job.retryableRows = 0;
        return again(0);
      case "retryable":
        if (mayHaveTakenEffect) {
          await reportSettled(job.id);
          return over;
        }
        job.state = "retryable";
        job.retryableRows = rowCount(job.id);
        return again(0);
      case "unknown": {
        const plan = planVerification(context, job.id);
        const wasVerified = job.state === "unknown" && !observer.wasPostponed();
        job.state = "unknown";
        job.retryableRows = 0;
        if (plan.kind !== "impossible" && !wasVerified)
          return again(clock.elapsed() + options.settleMs);
        await reportSettled(job.id);
        return over;
      }
    }
  };

  /**
   * Ends a try that a second person has not approved. The other rows of a request that waits, ended or
   * was refused have no approval either.
   */
  const endUnapproved = async (job: WriteJob, unapproved: Unapproved): Promise<JobEnd> => {
    await reportSettled(job.id);
    if (canAsk(unapproved)) options.onUnapproved();
    const isOwn = unapproved.why === "used" || unapproved.why === "changed";
    if (isOwn || job.state === "unknown") return over;
    return { kind: "stop", end: { kind: "not-approved", error: notApproved(run, unapproved) } };
  };

  const endUnsent = async (job: WriteJob, error: AppError<"write">): Promise<JobEnd> => {
    if (error.kind !== "in-use") {
      // Another process settled the entry in the meantime, or its body was purged.
      await reportSettled(job.id);
      return over;
    }
    return waitForAccount(job);
  };

  /** Ends a try because another entry to the same account is sent first. */
  const waitForAccount = (job: WriteJob): JobEnd => {
    job.busySince ??= clock.elapsed();
    if (clock.elapsed() - job.busySince >= options.patienceMs) return over;
    job.tries -= 1;
    return again(clock.elapsed() + queueMs);
  };

  /**
   * Ends a try because the team's database did not answer. The run stops if it has been away for too
   * long, or if no wait helps.
   */
  const waitForTeam = (job: WriteJob, error: AppError<"team">): JobEnd => {
    away ??= { elapsed: clock.elapsed(), at: clock.now(), why: error.message };
    const isOver = clock.elapsed() - away.elapsed >= options.patienceMs;
    if (isOver || error.kind !== "team-unavailable")
      return { kind: "stop", end: { kind: "team-away", error } };
    const nextTryAt = clock.now() + teamPauseMs;
    const { at: since, why } = away;
    options.onTeamAway({ of: "team", since, why, nextTryAt, tryNow: null });
    job.tries -= 1;
    return again(clock.elapsed() + teamPauseMs);
  };

  const probe = async (job: WriteJob, signal: AbortSignal): Promise<void> => {
    const target = journal.read((rows) => {
      const row = rows.get(
        `SELECT import_supplier, external_account_number, external_identifier FROM intent
         WHERE id = ?`,
        job.id,
      );
      return row === undefined ? null : targetOf(row);
    });
    if (target === null) return;
    const { importSupplier } = target;
    const { timeoutMs = 30_000 } = options;
    if (target.kind === "account") {
      // The run itself retries, and waits for the rate limit.
      const limits = { signal, timeoutMs, retries: 0, rateLimitWaitMs: 0 };
      await service.accounts.status(importSupplier, target.externalAccountNumber, limits);
    } else {
      const limits = { signal, timeoutMs, rateLimitWaitMs: maxRateLimitWaitMs };
      await service.supplyPoints.status(importSupplier, target.externalIdentifier, limits);
    }
  };

  return {
    next,
    carryOut,
    leave: ({ id }) => report(id),
    probe,
    failsWith500: !isVendorRetry(operation),
    maxFailedTrials: readBack.by === "nothing" ? 3 : Number.POSITIVE_INFINITY,
  };
}

/** Returns the end of a try before another, at `notBefore` of the running time or at once (0). */
function again(notBefore: number): JobEnd {
  return { kind: "again", notBefore };
}

function listen(observer: AttemptObserver, operation: Operation) {
  let isSending = false;
  /** The error of the last attempt, which is already reported. */
  let reported: ServiceError | null = null;
  /**
   * True after a 500 of the payment vendor. The job is then not postponed, because only this
   * process counts these failures.
   */
  let isVendorFailing = false;
  return {
    onEvent: (event: SubmitEvent) => {
      if (event.kind === "sending") {
        isSending = true;
        observer.sending();
      } else if (event.kind === "attempt-ended") {
        isSending = false;
        reported = event.error;
        isVendorFailing = isVendorRetry(operation) && event.end.outcome === "500";
        observer.ended(event.error);
      } else if (event.kind === "waiting") observer.waiting(!isVendorFailing);
    },
    ended: (result: WriteResult | null) => {
      if (result === null) return;
      if (isSending || (result.error !== null && result.error !== reported))
        observer.ended(result.error);
    },
  };
}
