import { rm } from "node:fs/promises";
import { recordRows } from "../../bulk/record.ts";
import { runBulk } from "../../bulk/run.ts";
import type { RunEnd } from "../../bulk/run-record.ts";
import { isUnsent, type RunRecord } from "../../bulk/run-record.ts";
import type { SendSettings } from "../../bulk/run-settings.ts";
import { endSentence, leftWords } from "../../bulk/run-words.ts";
import { readRun } from "../../bulk/runs.ts";
import type { FileSource } from "../../bulk/source.ts";
import { profileWords } from "../../settings/sandbox-profile.ts";
import { asCommand } from "../../text/as-command.ts";
import { codeOf, diskWords } from "../../text/disk-words.ts";
import { shownPath } from "../../text/shown-path.ts";
import { doneBy } from "../../writes/done.ts";
import type { WriteContext } from "../../writes/send/events.ts";
import { endingCodes, exitCode } from "../exit-codes.ts";
import { type Failure, failureOf } from "../failure.ts";
import { printsJson } from "../global-options.ts";
import type { Invocation } from "../invocation.ts";
import { endingOf, type Io } from "../io.ts";
import type { Target } from "../target.ts";
import { endCodes, exitCodeOfRun } from "./exit-code-of-run.ts";
import { type ProgressReporter, progressReporterFor } from "./progress.ts";
import { markResults, type ResultsMark, writeResults, writeResultsBeside } from "./results.ts";
import { summaryText } from "./summary.ts";

interface RunRequest {
  readonly run: string;
  /** The source of its rows, or null if all are recorded. */
  readonly source: FileSource | null;
  readonly send: SendSettings;
}

/**
 * Records the rows that are not recorded yet, sends the open rows, writes the results file, and
 * prints a summary. Resolves with the exit code of the run. Rejects with a run, journal or command
 * error before anything is sent.
 */
export async function executeRun(
  invocation: Invocation,
  target: Target,
  context: WriteContext,
  request: RunRequest,
): Promise<number> {
  const { run } = request;
  const reporter = progressReporterFor(invocation);
  const interrupts = handleInterrupts(invocation.io);
  try {
    const before = await markResults(readRun(context, run));
    const recorded = await record(context, request, reporter, interrupts);
    const end: RunEnd = recorded
      ? await send(invocation, context, request, reporter, interrupts)
      : { kind: "stopped" };
    return await conclude(invocation, target, context, { run, end, before });
  } finally {
    reporter.clear();
    interrupts.release();
  }
}

/**
 * Records the rows. Returns true if every row is on disk, or false if the recording was stopped.
 */
async function record(
  context: WriteContext,
  { run, source }: RunRequest,
  reporter: ProgressReporter,
  { stop, cancel }: Interrupts,
): Promise<boolean> {
  if (source === null) return true;
  const { rows } = readRun(context, run);
  const signal = AbortSignal.any([stop, cancel]);
  try {
    await recordRows(context, run, source, {
      signal,
      onProgress: (done) => reporter.recording(done, rows),
    });
  } catch (error) {
    if (signal.aborted) return false;
    throw error;
  } finally {
    reporter.clear();
  }
  if (source.kind === "copy") await rm(source.path, { force: true });
  return true;
}

async function send(
  invocation: Invocation,
  context: WriteContext,
  { run, send }: RunRequest,
  reporter: ProgressReporter,
  { stop, cancel }: Interrupts,
): Promise<RunEnd> {
  try {
    return await runBulk(context, run, {
      signal: cancel,
      stop,
      ...send,
      timeoutMs: invocation.globals.timeoutMs,
      onProgress: (progress) => reporter.running(progress),
    });
  } finally {
    reporter.clear();
  }
}

async function conclude(
  invocation: Invocation,
  target: Target,
  context: WriteContext,
  {
    run,
    end,
    before,
  }: {
    readonly run: string;
    readonly end: RunEnd;
    readonly before: ResultsMark | null;
  },
): Promise<number> {
  const { io, out } = invocation;
  let record = readRun(context, run);
  // Skips the results file if the program is ending. `bulk report` can write it later.
  if (!isUnsent(record) && !io.signal.aborted) {
    await writeOut(invocation, context, record, before);
    record = readRun(context, run);
  }
  const isEmbedded = target.profile.baseUrl === null;
  const { profile = null } = isEmbedded ? {} : target.context("");
  const resume = isEmbedded ? null : asCommand({ kind: "run-resume", run }, profile);
  // The sums are left out if the program is ending. `bulk report` has them later.
  const done = io.signal.aborted
    ? null
    : await doneBy(context.journal, { run }, io.signal).catch(() => null);
  // `out.close` writes even while the program is ending, so that the output has the summary.
  const place = profileWords(target.profile);
  const waiting = end.kind === "waits" ? end.request : null;
  const summarized = { run: record, place, resume, profile, done, waiting };
  out.close(summaryText(invocation, context.journal, summarized));
  if (end.kind !== "ended" && end.kind !== "waits")
    invocation.report(failureOfEnd(invocation, target, record, end, resume));
  const code = exitCodeOfRun(context.journal, record);
  const ending = endingOf(io.signal);
  return ending !== null && code === exitCode.interrupted ? endingCodes[ending.kind] : code;
}

/**
 * Writes the results file, or a new file next to it if it must not be overwritten. A failure is
 * reported and does not change the outcome of the run.
 */
async function writeOut(
  { io, problem }: Invocation,
  context: WriteContext,
  record: RunRecord,
  before: ResultsMark | null,
): Promise<void> {
  const { id, results } = record;
  if (results === null) return;
  try {
    const why = await writeResults(context, record, io.signal, before);
    if (why === null) return;
    const path = await writeResultsBeside(context, { ...record, results }, io.signal);
    problem(`${shownPath(results)} is unchanged: ${why}. The results are in ${shownPath(path)}.`);
  } catch (error) {
    if (io.signal.aborted) return;
    problem(
      `The results could not be written to ${shownPath(results)}: ${diskWords(codeOf(error))}. \`supplyline bulk report ${id} --output FILE\` writes them to another file.`,
    );
  }
}

const endKinds = { stopped: "stopped", unsent: "not-sent", "service-down": "unavailable" } as const;

function failureOfEnd(
  { globals }: Invocation,
  target: Target,
  record: RunRecord,
  end: Exclude<RunEnd, { kind: "ended" | "waits" }>,
  resume: string | null,
): Failure {
  const context = target.context(`sending the rows of run ${record.id}`);
  const message = leftWords(record, endSentence(end, context));
  const remedy =
    resume === null
      ? "They cannot be sent: the embedded sandbox ends with this command."
      : `Resume with: ${resume}`;
  const failure =
    "error" in end
      ? failureOf(end.error, context)
      : {
          exitCode: endCodes[end.kind],
          kind: endKinds[end.kind],
        };
  const { exitCode: code, kind } = failure;
  // People get the command on a separate line, to copy it.
  return printsJson(globals)
    ? { exitCode: code, kind, message: `${message} ${remedy}` }
    : { exitCode: code, kind, message, details: [remedy] };
}

interface Interrupts {
  /** Aborted to start no new request. The requests in flight are awaited. */
  readonly stop: AbortSignal;
  /** Aborted to cancel the requests in flight, too. */
  readonly cancel: AbortSignal;
  /** Restores the default of Ctrl-C, which ends the program. */
  release(): void;
}

/**
 * Handles Ctrl-C during a run: the first one stops the run, the second cancels its requests, and a
 * third ends the program. A hang-up or SIGTERM cancels at once.
 */
function handleInterrupts(io: Io): Interrupts {
  const stop = new AbortController();
  const cancel = new AbortController();
  const release = io.onInterrupt(() => {
    if (!stop.signal.aborted) return stop.abort();
    release();
    cancel.abort();
  });
  return {
    stop: stop.signal,
    cancel: AbortSignal.any([cancel.signal, io.signal]),
    release,
  };
}
