/**
 * Creates a run of checked rows, and records every row in the journal before the first is sent.
 * Discards a run whose rows are not all recorded; none of them was sent.
 */
import { AppError } from "../errors/app-error.ts";
import { type Row, type Rows, text, whole } from "../sqlite/rows.ts";
import { addIntent } from "../writes/journal/changes.ts";
import type { Journal } from "../writes/journal/open-journal.ts";
import {
  adoptRunOverride,
  hasRunOverride,
  type Override,
  removeRunOverride,
} from "../writes/journal/override.ts";
import { refuseOlderJournal } from "../writes/older-journal.ts";
import { ownerText } from "../writes/owner.ts";
import { nextLink, type PreparedWrite, prepareWrite } from "../writes/prepare.ts";
import { refuseTeam } from "../writes/refuse-team.ts";
import type { WriteContext } from "../writes/send/events.ts";
import type { Checked } from "./check.ts";
import type { PlannedRequest } from "./input/planner.ts";
import { readRequests } from "./input/read-planned.ts";
import { claimRun, releaseRun, rowOfRun, takeRun } from "./run-owner.ts";
import type { OnCheckpoint } from "./run-record.ts";
import { readingFrom, readingText, type SendSettings } from "./run-settings.ts";
import { createRun, type RunReading, readRun } from "./runs.ts";
import { hashWhileReading, type RowSource, sourceBytes, storedSource } from "./source.ts";

export interface RecordOptions {
  /** Returns the SHA-256 of the completely read input, to compare it with the run's. */
  readonly digest?: () => string;
  readonly signal: AbortSignal;
  readonly onProgress?: (rows: number) => void;
  readonly atPoint?: OnCheckpoint;
}

const maxRequests = 128;
const maxReadMs = 8;

interface Prepared {
  readonly request: PlannedRequest;
  readonly write: PreparedWrite;
  /** A hash of all requests up to this one. */
  readonly chain: string;
}

interface NewRunSettings extends SendSettings {
  readonly results?: string | null;
  readonly override?: Override | undefined;
}

/** Creates the run of a checked source. Resolves and rejects as {@link createRun} does. */
export function createRunOf(
  context: WriteContext,
  source: RowSource,
  { reading, rows, requests, contents, sha256 }: Checked,
  { results = null, override, ...send }: NewRunSettings = {},
): Promise<string> {
  const stored = storedSource(source, sha256);
  const run = {
    ...stored,
    kind: reading.kind,
    rows,
    requests,
    results,
    reading: { ...readingText(reading, send, contents), ...stored.reading },
  };
  return createRun(context, run, { override });
}

/** Records a run's rows. Rejects as {@link recordRequests} does, or with a source error. */
export function recordRows(
  context: WriteContext,
  run: string,
  source: RowSource,
  options: Omit<RecordOptions, "digest">,
): Promise<void> {
  const reading = readingFrom(readRun(context, run).reading);
  const { bytes, digest } = hashWhileReading(sourceBytes(source, options.signal));
  return recordRequests(context, run, readRequests(bytes, reading), { ...options, digest });
}

/**
 * Records every request of a run without sending it. After a kill, the next call continues after
 * the recorded requests, if they come from the same input. Resolves when the run can be started.
 * Rejects with a run error (`not-found`, `in-use`, `wrong-service`, or `input-changed`, which
 * discards the recorded requests), a write error `invalid`, a journal error, the reason of the
 * signal, or an error of reading the input.
 */
export async function recordRequests(
  context: WriteContext,
  run: string,
  requests: AsyncIterable<PlannedRequest>,
  options: RecordOptions,
): Promise<void> {
  refuseTeam(context);
  refuseOlderJournal(context.journal);
  const { journal } = context;
  const row = await journal.commit((rows) => takeRun(rows, context, run));
  try {
    if (text(row, "state") === "void") await resetRun(context, run);
    const current = journal.read((rows) => rowOfRun(rows, run));
    if (text(current, "state") !== "recording") return;
    await recordFrom(context, current, requests, options);
    const stopped = { state: "stopped", stopped_because: null };
    await journal.commit((rows) => {
      removeRunOverride(rows, run);
      rows.update("run", stopped, "id = ?", run);
    });
    await options.atPoint?.("recorded");
  } finally {
    await journal.commit((rows) => releaseRun(rows, context, run)).catch(() => {});
  }
}

async function recordFrom(
  context: WriteContext,
  run: Row,
  requests: AsyncIterable<PlannedRequest>,
  options: RecordOptions,
): Promise<void> {
  const id = text(run, "id");
  const before = { requests: whole(run, "recorded"), chain: text(run, "chain") };
  let chain = "";
  let readRequestCount = 0;
  let recordedRows = 0;
  let waiting: Prepared[] = [];
  let readingSince = performance.now();
  const rejectChanged = async (): Promise<never> => {
    await voidRun(context, id);
    const words = `The input of run ${id} has changed since it was checked; nothing was sent.`;
    throw new AppError("run", "input-changed", words);
  };
  const flush = async () => {
    const recorded = readRequestCount - waiting.length;
    if (waiting.length > 0) await commitRows(context, id, recorded, waiting);
    else await new Promise((resolve) => setImmediate(resolve));
    waiting = [];
    if (readRequestCount > before.requests) {
      options.onProgress?.(recordedRows);
      await options.atPoint?.("rows-recorded");
    }
    readingSince = performance.now();
  };
  for await (const request of requests) {
    options.signal.throwIfAborted();
    chain = nextLink(chain, request);
    readRequestCount += 1;
    recordedRows += request.lines.length;
    if (readRequestCount > before.requests) {
      waiting.push({ request, write: prepareWrite(request.write), chain });
    } else if (readRequestCount === before.requests && chain !== before.chain) {
      await rejectChanged();
    }
    if (waiting.length >= maxRequests || performance.now() - readingSince > maxReadMs) {
      await flush();
    }
  }
  options.signal.throwIfAborted();
  await flush();
  const sha256 = text(run, "sha256");
  const isSame = options.digest === undefined || sha256 === "" || options.digest() === sha256;
  const isComplete =
    readRequestCount === whole(run, "request_count") && recordedRows === whole(run, "row_count");
  if (!isSame || !isComplete || readRequestCount < before.requests) await rejectChanged();
}

/** Records requests in one commit, unless another process has claimed the run. */
function commitRows(
  context: WriteContext,
  run: string,
  recorded: number,
  prepared: readonly Prepared[],
): Promise<void> {
  const { journal, process, clock } = context;
  const at = clock.now();
  return journal.commit((rows) => {
    const isOverridden = hasRunOverride(rows, run);
    for (const request of prepared) {
      const intent = addRequest(rows, context, run, request, at);
      if (isOverridden) adoptRunOverride(rows, run, intent);
    }
    const changed = rows.run(
      `UPDATE run SET recorded = recorded + ?, chain = ?, renewed_at = ?
       WHERE id = ? AND owner = ? AND recorded = ?`,
      prepared.length,
      prepared.at(-1)?.chain ?? "",
      at,
      run,
      ownerText(process.self),
      recorded,
    );
    if (changed === 0)
      throw new AppError("run", "in-use", `Another process has taken over run ${run}.`);
  });
}

function addRequest(
  rows: Rows,
  { profile, service }: WriteContext,
  run: string,
  { request, write }: Prepared,
  at: number,
): number {
  const { lines } = request;
  const [line] = lines;
  const { baseUrl } = service;
  const intent = addIntent(rows, { write, profile, baseUrl, owner: null, at, run, line });
  for (const [position, rowLine] of lines.entries())
    rows.insert("run_row", { run, line: rowLine, intent, position });
  return intent;
}

/** Marks the run as void, then deletes its recorded requests. */
async function voidRun(context: WriteContext, run: string): Promise<void> {
  const voided = { state: "void", stopped_because: "its input was changed" };
  await context.journal.commit((rows) => rows.update("run", voided, "id = ?", run));
  await resetRun(context, run);
}

/** Deletes the recorded requests and resets the run to its start. */
async function resetRun(context: WriteContext, run: string): Promise<void> {
  const { journal } = context;
  await deleteRows(journal, run);
  const initial = { state: "recording", recorded: 0, chain: "" };
  await journal.commit((rows) => rows.update("run", initial, "id = ? AND state = 'void'", run));
}

/** Maximum rows in one commit, so that other processes can use the journal in between. */
const rowsPerCommit = 256;

/**
 * Discards a run whose rows are not all recorded, and deletes the recorded rows. After a kill, the
 * next call deletes the rest. Rejects with a journal error or a run error (`not-found`, `in-use`,
 * or `recorded` for a completely recorded run).
 */
export async function discardRun(reading: RunReading, run: string): Promise<void> {
  const { journal } = reading;
  await journal.commit((rows) => {
    const state = text(claimRun(rows, reading, run), "state");
    if (state !== "recording" && state !== "void") {
      const words = `Run ${run} is fully recorded and cannot be discarded.`;
      throw new AppError("run", "recorded", words);
    }
    rows.update("run", { state: "void" }, "id = ?", run);
  });
  await deleteRows(journal, run);
  await journal.commit((rows) => rows.run("DELETE FROM run WHERE id = ? AND state = 'void'", run));
}

/** Deletes a void run's rows. None was sent, because a run starts only when all are recorded. */
async function deleteRows(journal: Journal, run: string): Promise<void> {
  for (;;) {
    const left = await journal.commit((rows) => {
      const recorded = rows.all(
        "SELECT line, intent FROM run_row WHERE run = ? LIMIT ?",
        run,
        rowsPerCommit,
      );
      for (const row of recorded) {
        rows.run("DELETE FROM run_row WHERE run = ? AND line = ?", run, whole(row, "line"));
        const { intent } = row;
        if (intent !== null) {
          rows.run("DELETE FROM intent WHERE id = ? AND state = 'intent'", whole(row, "intent"));
        }
      }
      return recorded.length;
    });
    if (left === 0) return;
  }
}
