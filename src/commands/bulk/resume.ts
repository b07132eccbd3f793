import { stat } from "node:fs/promises";
import { isSameService } from "../../api/url.ts";
import { needsRequest } from "../../bulk/approval.ts";
import { checkRows } from "../../bulk/check.ts";
import { type HeldBack, HeldBackCounter } from "../../bulk/held-back.ts";
import { heldBackInRun, overrideRows } from "../../bulk/resumed-rows.ts";
import { remainingSum, rowPages } from "../../bulk/rows.ts";
import { isUnsent, type RunRecord } from "../../bulk/run-record.ts";
import { readingFrom } from "../../bulk/run-settings.ts";
import { rowsLeft } from "../../bulk/run-words.ts";
import { readRun } from "../../bulk/runs.ts";
import { digestOf, type FileSource, sourceBytes, sourceOf } from "../../bulk/source.ts";
import { reconnectHint } from "../../settings/sandbox-profile.ts";
import { formatInstant } from "../../text/dates.ts";
import { codeOf } from "../../text/disk-words.ts";
import { plural } from "../../text/numbers.ts";
import { shownPath } from "../../text/shown-path.ts";
import { confirmationsOf } from "../../writes/gate.ts";
import { isRunOverridden } from "../../writes/journal/override.ts";
import { kindName, operationOf } from "../../writes/kinds/kinds.ts";
import { olderJournalError } from "../../writes/older-journal.ts";
import { refuseTeam } from "../../writes/refuse-team.ts";
import type { WriteContext } from "../../writes/send/events.ts";
import { entryOf } from "../../writes/submit.ts";
import { usageError } from "../command-error.ts";
import { exitCode } from "../exit-codes.ts";
import { printsJson } from "../global-options.ts";
import type { Invocation } from "../invocation.ts";
import { jsonOutput } from "../rows/print.ts";
import { withTarget } from "../target.ts";
import { exits, type Verb } from "../verb.ts";
import { confirmWrite } from "../writes/confirm-write.ts";
import { type DryRequest, dryWrite, printDryRunNotice, printRequest } from "../writes/dry-run.ts";
import { withWrites } from "../writes/with-writes.ts";
import { againOf } from "../writes/write-options.ts";
import { heldBackWords, heldJson } from "./check-input.ts";
import { executeRun } from "./execute-run.ts";
import { addRunOptions, type BulkResumeOptions } from "./options.ts";
import { overwriteProblem } from "./results.ts";
import { runColumns } from "./summary.ts";

export const verb: Verb = {
  description: "resume a run that was stopped, killed or cut off",
  declare: (command) =>
    addRunOptions(
      command
        .argument("<run>", "run ID, as printed by bulk run")
        .option(
          "--dry-run",
          "report the remaining rows and print the first requests; send nothing",
        ),
      "default: the value of the run",
      "default: the value of the run",
    ),
  columns: runColumns,
  /**
   * Resumes a run: leaves settled rows alone, sends unsent rows, and verifies unknown rows if that
   * is safe. Resolves with the exit code of the run.
   */
  async run(invocation, id: string, options: BulkResumeOptions) {
    const { concurrency, settle, dryRun } = options;
    const again = againOf(options);
    return withTarget(invocation, (target) => {
      if (target.profile.baseUrl === null)
        throw usageError(
          `run ${id} cannot be resumed with an embedded sandbox: its runs, its entries and its journal end with the command that started it`,
          "Nothing was sent. `supplyline sandbox` keeps a sandbox running; runs against its address are in the journal on disk.",
        );
      return withWrites(invocation, target, async ({ context }) => {
        const run = readRun(context, id);
        if (!isSameService(run.baseUrl, target.service.baseUrl))
          throw usageError(
            `run ${id} is for ${run.baseUrl} (profile ${run.profile}), and this is ${target.service.baseUrl}`,
            `Nothing was sent. ${reconnectHint(run)}`,
          );
        const older = olderJournalError(context.journal);
        if (older !== null && dryRun !== true) throw older;
        const source = await unreadSource(invocation, run);
        const held = await heldBackOf(invocation, context, run, source);
        const isAgain = again !== null;
        if (dryRun === true) return printDryResume(invocation, context, run, { held, isAgain });
        refuseTeam(context);
        // A run that waits is refused before its confirmation is typed.
        if (!isUnsent(run)) await needsRequest(context, run);
        for (const line of heldBackWords(held, isAgain)) invocation.warn(line);
        const left = rowsLeft(run);
        const operation = operationOf(run.kind);
        const isOverridden = context.journal.read((rows) => isRunOverridden(rows, id));
        const sending = {
          environment: target.profile.environment,
          operation,
          rows: "many" as const,
          inDoubt: isAgain || isOverridden,
        };
        const isSummed = !invocation.globals.yes && confirmationsOf(sending).includes("sum");
        const sum = isSummed ? await remainingSum(context.journal, id) : null;
        // A run without a row that is left is only reported again.
        const isOver = left === 0 && !isAgain && !isUnsent(run);
        const override = isOver
          ? null
          : await confirmWrite(invocation, target.profile, {
              doing: `a bulk run of ${kindName(run.kind)}`,
              verb: "resuming",
              subject: `run ${id}, last changed ${formatInstant(run.changedAt, { utc: true })} UTC, with ${plural(left, "row")} of ${kindName(run.kind)}${sum === null ? "" : `, which add up to ${sum}`}`,
              operation,
              target: null,
              rows: left,
              sum,
              again,
              passes: held.findings,
              isOverridden,
            });
        await checkResults(context, run);
        if (override !== null) await overrideRows(context, id, override);
        invocation.io.stderr.write(`run ${id}\n`);
        return executeRun(invocation, target, context, {
          run: id,
          source,
          send: { concurrency, settleMs: settle },
        });
      });
    });
  },
  exits: exits.write,
  examples: ["supplyline bulk resume r7k2qd --dry-run", "supplyline bulk resume r7k2qd"],
};

/**
 * Counts the rows that the duplicate guard would hold back. If not all rows are recorded, they are
 * read from their source.
 */
async function heldBackOf(
  { io: { signal } }: Invocation,
  context: WriteContext,
  run: RunRecord,
  source: FileSource | null,
): Promise<HeldBack> {
  if (source === null) return heldBackInRun(context, run.id);
  const guard = new HeldBackCounter(context.journal, context.service.baseUrl);
  const reading = readingFrom(run.reading);
  const { heldBack } = await checkRows(sourceBytes(source, signal), reading, { signal, guard });
  return heldBack;
}

/**
 * Returns the source of a run whose rows are not all recorded, else null. Throws `usage` if the
 * source is needed and missing, or if it has changed since the run began.
 */
async function unreadSource(invocation: Invocation, run: RunRecord): Promise<FileSource | null> {
  const { id, state } = run;
  const source = sourceOf(run);
  const isNeeded = isUnsent({ state });
  if (source === null) {
    if (!isNeeded) return null;
    throw usageError(
      `the rows of run ${id} were not all recorded before it ended, and no copy exists`,
      `Nothing was sent, and the run cannot be resumed. Compose it again, and remove this run from the list: supplyline bulk discard ${id}`,
    );
  }
  const name = source.kind === "copy" ? "the copy of standard input" : source.path;
  if (!(await hasFile(source.path))) {
    // A missing copy is normal, because it is removed after all rows are recorded.
    if (!isNeeded && source.kind === "file")
      invocation.progress(`${name} is missing; every row is recorded, so it is not needed.`);
    if (!isNeeded) return null;
    throw usageError(
      `${name} is missing, and the rows of run ${id} are not all recorded`,
      `Nothing was sent. Restore the file, or remove the run from the list: supplyline bulk discard ${id}`,
    );
  }
  if ((await digestOf(source.path, invocation.io.signal)) !== run.sha256)
    throw usageError(
      `${name} has changed since run ${id} began`,
      "Nothing was sent. Restore the old file, or move the new one away and run it separately.",
    );
  return isNeeded ? source : null;
}

/** Returns false only for a missing file: reading any other one reports the error. */
async function hasFile(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch (error) {
    return codeOf(error) !== "ENOENT";
  }
}

/** Throws `usage` if the run must not overwrite its results file, which is written at the end. */
async function checkResults(
  context: Parameters<typeof overwriteProblem>[0],
  run: RunRecord,
): Promise<void> {
  const { id, results } = run;
  const why = await overwriteProblem(context, run);
  if (results === null || why === null) return;
  throw usageError(
    `the results of run ${id} are written to ${shownPath(results)}, and ${why}`,
    "Nothing was sent. Move that file away.",
  );
}

const maxPrinted = 3;

async function printDryResume(
  invocation: Invocation,
  context: WriteContext,
  run: RunRecord,
  { held, isAgain }: { readonly held: HeldBack; readonly isAgain: boolean },
): Promise<number> {
  const { out, globals } = invocation;
  const { waiting, sending, retryable, unknown } = run.counts;
  const toSend = waiting + retryable - (isAgain ? 0 : held.rows);
  const inDoubt = unknown + sending;
  const first = await firstRequests(context, run, invocation.io.signal);
  if (printsJson(globals)) {
    const rows = { to_send: toSend, in_doubt: inDoubt, recorded: !isUnsent(run) };
    const facts = { run: run.id, kind: run.kind, rows, held_back: heldJson(held) };
    await out.line(jsonOutput(globals, { ...facts, first }));
    return exitCode.done;
  }
  printDryRunNotice(invocation);
  if (isUnsent(run)) {
    await out.line(
      `It would read ${shownPath(run.source)} again, record its rows and send them: nothing of it was sent.`,
    );
    for (const line of heldBackWords(held, isAgain)) await out.line(line);
    return exitCode.done;
  }
  for (const request of first) {
    await printRequest(invocation, request);
    await out.line("");
  }
  const doubt =
    inDoubt === 0
      ? ""
      : ` ${plural(inDoubt, "row")} ${inDoubt === 1 ? "is" : "are"} in doubt: they are verified where that cannot apply them twice, and the others are left alone.`;
  await out.line(
    toSend === 0
      ? `Nothing is left to be sent.${doubt}`
      : `It would send ${plural(toSend, "row")}.${doubt}`,
  );
  for (const line of heldBackWords(held, isAgain)) await out.line(line);
  return exitCode.done;
}

/** Returns the first requests that a resume would send. Empty if the rows are not recorded. */
async function firstRequests(
  context: WriteContext,
  run: RunRecord,
  signal: AbortSignal,
): Promise<readonly DryRequest[]> {
  const requests = new Map<number, DryRequest>();
  if (isUnsent(run)) return [];
  const wanted = { signal, states: ["waiting", "retryable"] } as const;
  for await (const rows of rowPages(context.journal, run.id, wanted)) {
    // One request can have several rows.
    for (const { journalId } of rows) {
      if (requests.size === maxPrinted) return [...requests.values()];
      if (requests.has(journalId)) continue;
      const { baseUrl, path, query, body } = entryOf(context, journalId);
      if (body !== null) requests.set(journalId, dryWrite(baseUrl, { path, query, body }));
    }
  }
  return [...requests.values()];
}
