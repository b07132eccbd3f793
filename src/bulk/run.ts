/** Starts or resumes a bulk run. Its rows are read only from the journal. */
import { AppError, isAppError } from "../errors/app-error.ts";
import { type FormKind, isFormKind } from "../forms/forms.ts";
import { text, whole } from "../sqlite/rows.ts";
import { operationOf } from "../writes/kinds/kinds.ts";
import { refuseOlderJournal } from "../writes/older-journal.ts";
import { recover } from "../writes/recover.ts";
import { refuseTeam } from "../writes/refuse-team.ts";
import type { WriteContext } from "../writes/send/events.ts";
import { needsRequest, requestForRun } from "./approval.ts";
import { createProgressEmitter, type ProgressEmitter, type RunProgress } from "./progress.ts";
import { claimRenewalMs, endRun, releaseRun, renewRun, takeRun } from "./run-owner.ts";
import type { OnCheckpoint, RunEnd, RunRow } from "./run-record.ts";
import { sendSettingsFrom } from "./run-settings.ts";
import { becauseOf } from "./run-words.ts";
import { countsOf, leftAloneOf, readingIn, readRun } from "./runs.ts";
import { type ScheduleOptions, schedule } from "./schedule/schedule.ts";
import { writeWork } from "./write-work.ts";

export interface RunOptions {
  /** Cancels the requests in flight. */
  readonly signal: AbortSignal;
  /** Stops the run: nothing new is sent, and the run ends after the requests in flight. */
  readonly stop: AbortSignal;
  /** Maximum number of requests in flight. Default: the value stored with the run, or 16. */
  readonly concurrency?: number | undefined;
  /** Time limit of one request in milliseconds. Default: 30 s. */
  readonly timeoutMs?: number | undefined;
  /** Milliseconds before the resend of a request that might run. Default: as stored, or 10 s. */
  readonly settleMs?: number | undefined;
  /** Milliseconds the service can be down before the run stops. Default: 10 min. */
  readonly patienceMs?: number | undefined;
  /** Returns the reason why nothing can be sent any more, or null. It stops the run. */
  readonly refusal?: (() => string | null) | undefined;
  readonly onProgress?: ((progress: RunProgress) => void) | undefined;
  /** Called after a row has ended and its outcome is on disk. */
  readonly onRow?: ((row: RunRow) => void) | undefined;
  readonly atPoint?: OnCheckpoint | undefined;
}

const heartbeatMs = 1_000;

/**
 * Starts or resumes a run whose rows are recorded. Settled rows are skipped, unsent rows are sent,
 * and unknown outcomes are verified if that is safe. Resolves with the reason why the run ended or
 * stopped, which is also recorded if the journal can be written. Rejects before anything is sent
 * with a run error (`not-found`, `in-use`, `wrong-service`, `not-recorded`) or a journal error.
 * Later it rejects only because of a defect of this program.
 */
export async function runBulk(
  context: WriteContext,
  run: string,
  options: RunOptions,
): Promise<RunEnd> {
  refuseTeam(context);
  const { journal, process, clock } = context;
  refuseOlderJournal(journal);
  await recover(journal, process, clock.now());
  const isAsked = context.team !== null && (await needsRequest(context, readRun(context, run)));
  const { row, kind } = await journal.commit((rows) => {
    // An error in this commit also reverts the claim.
    const taken = takeRun(rows, context, run);
    const kind = text(taken, "kind");
    if (!isFormKind(kind)) throw new Error(`Run ${run} is of the unknown kind "${kind}".`);
    if (["recording", "void"].includes(text(taken, "state"))) {
      const words = `The rows of run ${run} are not all recorded yet; nothing was sent.`;
      throw new AppError("run", "not-recorded", words);
    }
    const running = { state: "running", ended_at: null, stopped_by: null, stopped_because: null };
    rows.update("run", running, "id = ?", run);
    return { row: taken, kind };
  });
  const progress = createProgressEmitter(context, {
    run,
    rows: whole(row, "row_count"),
    onProgress: options.onProgress,
  });
  const claimLost = new AbortController();
  const done = new AbortController();
  const renewal = renewClaim(context, run, progress, claimLost, done.signal);
  try {
    await options.atPoint?.("run-claimed");
    const stored = sendSettingsFrom(readingIn(row));
    const end = isAsked
      ? await askSecondPerson(context, run, { kind: "ended" })
      : await sendRows(context, run, kind, progress, claimLost.signal, {
          ...options,
          concurrency: options.concurrency ?? stored.concurrency,
          settleMs: options.settleMs ?? stored.settleMs,
        });
    done.abort();
    await renewal;
    return await finishRun(context, { run, kind }, end, progress, options);
  } catch (error) {
    done.abort();
    await renewal;
    await journal
      .commit((rows) => {
        endRun(rows, context, run, { kind: "stopped", because: "a fault of the program" });
        releaseRun(rows, context, run);
      })
      .catch(() => {});
    throw error;
  }
}

async function sendRows(
  context: WriteContext,
  run: string,
  kind: FormKind,
  progress: ProgressEmitter,
  claimLost: AbortSignal,
  options: RunOptions,
): Promise<RunEnd> {
  const { signal, stop, refusal, atPoint, timeoutMs } = options;
  const { settleMs = 10_000, concurrency = 16, patienceMs = 600_000 } = options;
  const onRow = (row: RunRow) => {
    progress.rowEnded();
    try {
      options.onRow?.(row);
    } catch {
      // An error of the listener does not stop the run.
    }
  };
  const scheduling: ScheduleOptions = {
    clock: context.clock,
    signal,
    stop: AbortSignal.any([stop, claimLost]),
    concurrency: Math.max(1, concurrency),
    patienceMs,
    timeoutMs: timeoutMs ?? 30_000,
    onChange: progress.changed,
  };
  let isUnapproved = false;
  const onUnapproved = () => {
    isUnapproved = true;
  };
  try {
    const workOptions = {
      ...{ timeoutMs, settleMs, patienceMs, refusal, onRow, onUnapproved, atPoint },
      onTeamAway: progress.teamAway,
    };
    const end = await schedule(writeWork(context, run, kind, workOptions), scheduling);
    const isOver = end.kind === "ended" || end.kind === "not-approved";
    return isUnapproved && isOver ? await askSecondPerson(context, run, end) : end;
  } catch (error) {
    if (isAppError(error, "journal")) return { kind: "journal", error };
    throw error;
  }
}

/** Publishes a request for the rows that are left. Without any, the run ends as it would. */
async function askSecondPerson(context: WriteContext, run: string, end: RunEnd): Promise<RunEnd> {
  try {
    const request = await requestForRun(context, run);
    return request === null ? end : { kind: "waits", request };
  } catch (error) {
    if (isAppError(error, "team")) return { kind: "team-away", error };
    throw error;
  }
}

/**
 * Renews the claim on the run and sends heartbeats to the progress reporter until `done`. Aborts
 * `claimLost` if another process has claimed the run.
 */
async function renewClaim(
  context: WriteContext,
  run: string,
  progress: ProgressEmitter,
  claimLost: AbortController,
  done: AbortSignal,
): Promise<void> {
  const { clock, journal } = context;
  let renewedAt = clock.elapsed();
  while (!done.aborted) {
    await clock.sleep(heartbeatMs, done).catch(() => {});
    if (done.aborted) return;
    progress.heartbeat();
    if (clock.elapsed() - renewedAt < claimRenewalMs) continue;
    renewedAt = clock.elapsed();
    // If the journal cannot be written, sending a row reports the error.
    const isOurs = await journal.commit((rows) => renewRun(rows, context, run)).catch(() => true);
    if (!isOurs) claimLost.abort();
  }
}

async function finishRun(
  context: WriteContext,
  { run, kind }: { readonly run: string; readonly kind: FormKind },
  end: RunEnd,
  progress: ProgressEmitter,
  options: RunOptions,
): Promise<RunEnd> {
  const { journal } = context;
  let final = end;
  try {
    final = await journal.commit((rows) => {
      const counts = countsOf(rows, run, 0);
      const { heldBack } = leftAloneOf(rows, run, operationOf(kind), counts);
      const unsent = counts.waiting + counts.sending - heldBack;
      const recorded: RunEnd =
        end.kind === "ended" && unsent > 0 ? { kind: "unsent", rows: unsent } : end;
      endRun(rows, context, run, { kind: recorded.kind, because: becauseOf(recorded) });
      return recorded;
    });
  } catch (error) {
    if (!isAppError(error, "journal")) throw error;
    if (end.kind !== "journal") final = { kind: "journal", error };
  }
  await options.atPoint?.("run-ended");
  progress.finish();
  return final;
}
