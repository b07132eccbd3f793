/** Carrying out a run, from the journal alone: the first time and after every stop. */
import type { Again } from "../writes/guard.ts";
import { JournalError } from "../writes/journal/journal-error.ts";
import { type Rows, text, whole } from "../writes/journal/rows.ts";
import { recover } from "../writes/recover.ts";
import type { WriteContext } from "../writes/submit.ts";
import type { AtPoint, BulkContext } from "./bulk-context.ts";
import { type BulkKind, isBulkKind } from "./kinds.ts";
import { paceFrom } from "./pace.ts";
import type { RunEnd, RunProgress } from "./progress.ts";
import { RunError } from "./run-error.ts";
import { endRun, leaveRun, renewRun, signOfLifeMs, takeRun } from "./run-owner.ts";
import { becauseTold, type RunRow } from "./run-record.ts";
import { countsOf, readingIn } from "./runs.ts";
import { type ScheduleOptions, schedule } from "./schedule/schedule.ts";
import { statusWork } from "./status-work.ts";
import { createTelling, type Telling } from "./telling.ts";
import { writeWork } from "./write-work.ts";

export interface RunOptions {
  /** Ends what is under way. */
  readonly signal: AbortSignal;
  /** Sends nothing more, waits for what is on the wire, and ends. */
  readonly stop: AbortSignal;
  /** Requests under way at the most; as the run was told when it was made, else 16. */
  readonly concurrency?: number | undefined;
  /** Bounds one request; 30 s by default. */
  readonly timeoutMs?: number | undefined;
  /** Before something is sent again that may still be running; as the run was told, else 10 s. */
  readonly settleMs?: number | undefined;
  /** The operator's way past the duplicate guard; as the run was told when it was made. */
  readonly again?: Again | undefined;
  /** How long the service may be down before the run ends; 10 min by default. */
  readonly patienceMs?: number | undefined;
  readonly onProgress?: ((progress: RunProgress) => void) | undefined;
  /** Each time a row came to an end, once that is on disk. */
  readonly onRow?: ((row: RunRow) => void) | undefined;
  readonly atPoint?: AtPoint | undefined;
}

const beatMs = 1_000;

/**
 * Carries out a run whose rows are recorded, or goes on with it: what is settled is left alone, what
 * was never sent is sent, what nobody knows is found out where that is safe. Resolves with why it is
 * over for now, and with that on disk where the journal can be written.
 *
 * Rejects with RunError (`not-found`, `in-use`, `wrong-service`, `not-recorded`) or JournalError
 * before anything is sent, later only with faults of the program.
 */
export async function runBulk(
  context: BulkContext,
  run: string,
  options: RunOptions,
): Promise<RunEnd> {
  const { writes } = context;
  const { journal, process, clock } = writes;
  await recover(journal, process, clock.now());
  const row = await journal.commit((rows) => {
    const taken = takeRun(rows, writes, run);
    if (["recording", "void"].includes(text(taken, "state"))) {
      const words = `The rows of run ${run} are not all written down yet; nothing was sent.`;
      throw new RunError("not-recorded", words);
    }
    rows.run(
      "UPDATE run SET state = 'running', ended_at = NULL, stopped_by = NULL, stopped_because = NULL WHERE id = ?",
      run,
    );
    return taken;
  });
  const kind = text(row, "kind");
  if (!isBulkKind(kind)) throw new Error(`The journal names a kind of run "${kind}".`);
  const telling = createTelling(writes, {
    run,
    rows: whole(row, "row_count"),
    reads: kind === "status",
    onProgress: options.onProgress,
  });
  const lost = new AbortController();
  const over = new AbortController();
  const beating = beat(writes, run, telling, lost, over.signal);
  try {
    await options.atPoint?.("run-claimed");
    const { concurrency, settleMs, again } = paceFrom(readingIn(row));
    const paced = {
      ...options,
      again: options.again ?? again,
      concurrency: options.concurrency ?? concurrency,
      settleMs: options.settleMs ?? settleMs,
    };
    const end = await carryOut(context, run, kind, telling, lost.signal, paced);
    over.abort();
    await beating;
    return await settle(context, run, end, telling, options);
  } catch (fault) {
    over.abort();
    await beating;
    await journal
      .commit((rows) => {
        endRun(rows, writes, run, { kind: "stopped", because: "a fault of the program" });
        leaveRun(rows, writes, run);
      })
      .catch(() => {});
    throw fault;
  }
}

async function carryOut(
  context: BulkContext,
  run: string,
  kind: BulkKind,
  telling: Telling,
  lost: AbortSignal,
  options: RunOptions,
): Promise<RunEnd> {
  const { signal, stop, atPoint, timeoutMs, settleMs = 10_000 } = options;
  const { concurrency = 16, patienceMs = 600_000 } = options;
  const onRow = (row: RunRow) => {
    telling.settled();
    try {
      options.onRow?.(row);
    } catch {
      // A fault of whoever listens. The journal, not the listener, is what counts.
    }
  };
  const scheduling: ScheduleOptions = {
    clock: context.writes.clock,
    signal,
    stop: AbortSignal.any([stop, lost]),
    concurrency: Math.max(1, concurrency),
    patienceMs,
    timeoutMs: timeoutMs ?? 30_000,
    onChange: (standing, turn) => telling.changed(standing, turn),
  };
  try {
    if (kind === "status") {
      const work = statusWork(context, run, { timeoutMs: timeoutMs ?? 30_000, onRow, atPoint });
      return await schedule(work, scheduling);
    }
    const { again } = options;
    const work = writeWork(context, run, kind, {
      timeoutMs,
      settleMs,
      patienceMs,
      again,
      onRow,
      atPoint,
    });
    return await schedule(work, scheduling);
  } catch (error) {
    if (error instanceof JournalError) return { kind: "journal", error };
    throw error;
  }
}

/** Says now and then that this process is at it, and notices when another one has taken over. */
async function beat(
  writes: WriteContext,
  run: string,
  telling: Telling,
  lost: AbortController,
  over: AbortSignal,
): Promise<void> {
  const { clock, journal } = writes;
  let signAt = clock.now();
  while (!over.aborted) {
    await clock.sleep(beatMs, over).catch(() => {});
    if (over.aborted) return;
    telling.beat();
    if (clock.now() - signAt < signOfLifeMs) continue;
    signAt = clock.now();
    // A journal that cannot be written is met by the rows themselves.
    const kept = await journal.commit((rows) => renewRun(rows, writes, run)).catch(() => true);
    if (!kept) lost.abort();
  }
}

/** Puts the end on record and tells it. */
async function settle(
  context: BulkContext,
  run: string,
  end: RunEnd,
  telling: Telling,
  options: RunOptions,
): Promise<RunEnd> {
  const { writes } = context;
  const { journal } = writes;
  let final = end;
  try {
    final = await journal.commit((rows) => {
      const { waiting, sending } = countsOf(rows, run, 0);
      const left = waiting + sending - keptBack(rows, run);
      const told: RunEnd = end.kind === "ended" && left > 0 ? { kind: "stopped" } : end;
      const because = end === told ? becauseOf(end) : `${left} rows could not be sent`;
      endRun(rows, writes, run, { kind: told.kind, because });
      return told;
    });
  } catch (error) {
    if (!(error instanceof JournalError)) throw error;
    if (end.kind !== "journal") final = { kind: "journal", error };
  }
  await options.atPoint?.("run-ended");
  telling.last();
  return final;
}

/** Rows that the duplicate guard keeps back: they are at their end unless a reason is given. */
function keptBack(rows: Rows, run: string): number {
  const row = rows.get(
    `SELECT count(*) AS n FROM run_row JOIN intent ON intent.id = run_row.intent
     WHERE run_row.run = ? AND run_row.outcome = 'waiting' AND intent.reason = 'sent-before'`,
    run,
  );
  return row === undefined ? 0 : whole(row, "n");
}

function becauseOf(end: RunEnd): string | null {
  switch (end.kind) {
    case "ended":
      return null;
    case "stopped":
      return becauseTold;
    case "service-down":
      return end.why;
    case "credentials":
      return "the service refused the credentials";
    case "journal":
      return "the journal could not be written";
  }
}
