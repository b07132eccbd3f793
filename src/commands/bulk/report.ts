import { extname } from "node:path";
import { type RowsWanted, rowPages } from "../../bulk/rows.ts";
import { causesOfRun } from "../../bulk/run-causes.ts";
import { isResumable, isUnsent, type RunRecord } from "../../bulk/run-record.ts";
import { type RunReading, readRun } from "../../bulk/runs.ts";
import {
  adHocName,
  profileWords,
  reconnectHint,
  sandboxProfile,
} from "../../settings/sandbox-profile.ts";
import { asCommand } from "../../text/as-command.ts";
import { codeOf, diskWords } from "../../text/disk-words.ts";
import { count } from "../../text/numbers.ts";
import { shownPath } from "../../text/shown-path.ts";
import { doneBy } from "../../writes/done.ts";
import { addByCause, causeColumns, printCauses } from "../causes.ts";
import { usageError } from "../command-error.ts";
import type { Format } from "../global-options.ts";
import type { Invocation } from "../invocation.ts";
import { choiceOption } from "../option-values.ts";
import { writePagesTo, writerFor } from "../rows/print.ts";
import { exits, type Verb } from "../verb.ts";
import { withJournalToRead } from "../with-journal.ts";
import { exitCodeOfRun } from "./exit-code-of-run.ts";
import { rejectedRows, writeInputRows } from "./rejected.ts";
import { briefColumns, resultColumns, writeResults } from "./results.ts";
import { summaryWords } from "./summary.ts";

/**
 * The states of rows that each outcome selects. `exists` selects only rows that already existed.
 */
const statesOf = {
  unsent: ["waiting"],
  sending: ["sending"],
  confirmed: ["confirmed", "exists"],
  exists: ["exists"],
  rejected: ["rejected"],
  retryable: ["retryable"],
  unknown: ["unknown"],
  closed: ["closed"],
} as const;
type RowOutcome = keyof typeof statesOf;
const outcomes = Object.keys(statesOf) as RowOutcome[];
const outcomeOption = choiceOption(outcomes);

export const verb: Verb = {
  description: "the outcomes of the rows of a run; ends with the exit code of the run",
  declare: (command) =>
    addByCause(command)
      .argument("<run>", "run ID, as printed by bulk run")
      .option(
        "--outcome <outcome>",
        `only these rows (several may be given): ${outcomes.join(", ")}`,
        (text: string, before: readonly RowOutcome[] = []) => [...before, outcomeOption(text)],
      )
      .option("--output <file>", "a new file to write to, instead of stdout")
      .option("--rejected <file>", "write the rejected rows to a new file, to fix and run again"),
  columns: resultColumns,
  columnsWith: ({ by }) => (by === "cause" ? causeColumns : resultColumns),
  /**
   * Reports the outcomes of a run's rows, and writes its results file again. Resolves with the exit
   * code of the run.
   */
  async run(invocation, id: string, options: BulkReportOptions) {
    return withJournalToRead(invocation, async (journal, reading) => {
      const run = readRun(reading, id);
      await rewriteResults(invocation, reading, run);
      if (options.rejected !== undefined)
        await writeInputRows(invocation, reading, run, {
          flag: "--rejected",
          path: options.rejected,
          rows: rejectedRows(run),
        });
      if (options.by === "cause") await reportCauses(invocation, reading, run, options);
      // With `--rejected` alone, the other rows are not printed.
      else if (
        options.rejected === undefined ||
        options.output !== undefined ||
        options.outcome !== undefined
      )
        await printRun(invocation, reading, run, options);
      return exitCodeOfRun(journal, run);
    });
  },
  exits: exits.write,
  examples: [
    "supplyline bulk report r7k2qd",
    "supplyline bulk report r7k2qd --outcome rejected --format csv",
    "supplyline bulk report r7k2qd --by cause",
    "supplyline bulk report r7k2qd --rejected fixed.csv",
  ],
};

interface BulkReportOptions {
  readonly outcome?: readonly RowOutcome[];
  /** A new file. Default: stdout. */
  readonly output?: string;
  readonly rejected?: string;
  readonly by?: "cause";
}

const attention = ["rejected", "unknown", "retryable"] as const;
const maxListed = 20;

function wantedRows({ io }: Invocation, outcomes?: readonly RowOutcome[]): RowsWanted {
  return { signal: io.signal, states: outcomes?.flatMap((outcome) => statesOf[outcome]) };
}

async function reportCauses(
  invocation: Invocation,
  { journal }: RunReading,
  run: RunRecord,
  { outcome, output }: BulkReportOptions,
): Promise<void> {
  if (output !== undefined)
    throw usageError(
      "--output is for rows, and --by cause prints causes",
      `\`supplyline bulk rejected ${run.id} --cause N --output FILE\` writes the rows of one.`,
    );
  const wanted = wantedRows(invocation, outcome);
  const causes = await causesOfRun(journal, run, wanted);
  await printCauses(invocation, causes, "The run has no matching failures.");
}

/** Writes the results file of a run again. A failure is reported and does not end the command. */
async function rewriteResults(
  invocation: Invocation,
  reading: RunReading,
  run: RunRecord,
): Promise<void> {
  const { results } = run;
  // A running process writes its results itself.
  if (results === null || run.state === "running" || isUnsent(run)) return;
  const { signal } = invocation.io;
  try {
    const why = await writeResults(reading, run, signal);
    if (why !== null) invocation.progress(`${shownPath(results)} is unchanged: ${why}.`);
  } catch (error) {
    signal.throwIfAborted();
    invocation.progress(
      `${shownPath(results)} could not be written again: ${diskWords(codeOf(error))}.`,
    );
  }
}

async function printRun(
  invocation: Invocation,
  reading: RunReading,
  run: RunRecord,
  { outcome, output }: BulkReportOptions,
): Promise<void> {
  const { out, globals } = invocation;
  const isTable = globals.format === "table";
  if (output !== undefined || outcome !== undefined || !isTable || globals.columns !== undefined) {
    const format = output !== undefined && isTable ? formatOf(output) : globals.format;
    const writer = writerFor(invocation, resultColumns, { brief: briefColumns, format });
    const pages = rowPages(reading.journal, run.id, wantedRows(invocation, outcome));
    const rows = await writePagesTo(invocation, writer, pages, { output, noun: ["row", "rows"] });
    if (rows === 0 && output === undefined) invocation.notice("The run has no matching rows.");
    return;
  }
  const hasSandboxEnded = run.profile === sandboxProfile.name;
  const isUnfinished = run.state === "stopped" || (run.state === "unrecorded" && isResumable(run));
  const isResumableHere = isUnfinished && !hasSandboxEnded;
  const isNamed = run.profile !== adHocName && !hasSandboxEnded;
  const profile = globals.profile ?? (isNamed ? run.profile : null);
  const resume = isResumableHere ? asCommand({ kind: "run-resume", run: run.id }, profile) : null;
  const place = profileWords({ name: run.profile, baseUrl: run.baseUrl });
  const done = await doneBy(reading.journal, { run: run.id }, invocation.io.signal);
  await out.write(summaryWords(reading.journal, { run, place, resume, profile, done }));
  if (resume !== null) await out.line(`Resume with:\n  ${resume}`);
  if (isUnfinished && hasSandboxEnded)
    await out.line(`It cannot be resumed. ${reconnectHint(run)}`);
  if (run.state === "unrecorded")
    await out.line(`Remove it from the list:\n  supplyline bulk discard ${run.id}`);
  await printAttention(invocation, reading, run);
}

function formatOf(path: string): Format {
  switch (extname(path).toLowerCase()) {
    case ".json":
      return "json";
    case ".jsonl":
    case ".ndjson":
      return "jsonl";
    default:
      return "csv";
  }
}

async function printAttention(
  invocation: Invocation,
  reading: RunReading,
  { id, counts }: RunRecord,
): Promise<void> {
  const { out, io } = invocation;
  const wanted = { signal: io.signal, states: attention };
  for await (const rows of rowPages(reading.journal, id, wanted)) {
    await out.line("");
    const writer = writerFor(invocation, resultColumns, { brief: briefColumns });
    await out.write(writer.rows(rows.slice(0, maxListed)) + writer.end());
    break;
  }
  const more = counts.rejected + counts.unknown + counts.retryable - maxListed;
  if (more > 0)
    await out.line(
      `and ${count(more)} more: \`supplyline bulk report ${id} --format csv\` has all`,
    );
}
