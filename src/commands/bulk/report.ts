import { extname } from "node:path";
import { resultCells, resultColumns } from "../../bulk/result-files.ts";
import { canGoOn, isUnsent, type RunRecord, type RunRow } from "../../bulk/run-record.ts";
import type { RowOutcome } from "../../bulk/run-rows.ts";
import { type RunReading, readRun } from "../../bulk/runs.ts";
import { toJson } from "../../json/print.ts";
import { sandboxProfile, wayBack } from "../../settings/sandbox-profile.ts";
import { csvRow } from "../../text/csv.ts";
import { count, plural } from "../../text/numbers.ts";
import { textTable } from "../../text/table.ts";
import { withJournalToRead } from "../activity/with-journal.ts";
import type { Format } from "../global-options.ts";
import type { Invocation } from "../invocation.ts";
import { writeOutput } from "../new-file.ts";
import { choiceOption } from "../option-values.ts";
import { exits, type Verb } from "../verb.ts";
import { narrate } from "../writes/progress.ts";
import { exitCodeOfRun } from "./exit-code-of-run.ts";
import { writeRejected } from "./rejected.ts";
import {
  codeOf,
  notOurs,
  type RowsWanted,
  rebuildResults,
  rowPages,
  shownPath,
} from "./results-file.ts";
import { resumeCommand, summaryText } from "./summary.ts";

const outcomes: readonly RowOutcome[] = [
  "unsent",
  "sending",
  "confirmed",
  "exists",
  "rejected",
  "retryable",
  "unknown",
  "closed",
];
const outcomeOption = choiceOption(outcomes);

/** `bulk report` */
export const verb: Verb = {
  examples: [
    "supplyline bulk report r7k2qd",
    "supplyline bulk report r7k2qd --outcome rejected --format csv",
    "supplyline bulk report r7k2qd --rejected fixed.csv",
  ],
  exits: exits.write,
  declare: (command) =>
    command
      .description("the outcomes of the rows of a run; ends with the exit code of the run")
      .argument("<run>", "run ID, as printed by bulk run")
      .option(
        "--outcome <outcome>",
        `only these rows (several may be given): ${outcomes.join(", ")}`,
        (text: string, before: readonly RowOutcome[] = []) => [...before, outcomeOption(text)],
      )
      .option("--output <file>", "a new file to write to, instead of stdout")
      .option(
        "--rejected <file>",
        "write the rejected rows to a new file, to be fixed and run again",
      ),
  run: bulkReport,
};

interface BulkReportOptions {
  readonly outcome?: readonly RowOutcome[];
  /** A file that is not there yet; stdout without it. */
  readonly output?: string;
  readonly rejected?: string;
}

/** Rows that need attention. */
const attention: readonly RowOutcome[] = ["rejected", "unknown", "retryable"];
/** Rows listed below the summary. */
const shownBelow = 20;

/**
 * Reports the outcomes of a run's rows, and rewrites its results file. Resolves with the exit code of
 * the run.
 */
async function bulkReport(
  invocation: Invocation,
  id: string,
  options: BulkReportOptions,
): Promise<number> {
  const { io } = invocation;
  return withJournalToRead(invocation, async (journal, process) => {
    const reading: RunReading = { journal, process, clock: io.clock };
    const run = readRun(reading, id);
    await rebuild(invocation, reading, run);
    if (options.rejected !== undefined)
      await writeRejected(invocation, reading, run, options.rejected);
    // Who asked for the rejected rows alone is not given the others, too.
    if (
      options.rejected === undefined ||
      options.output !== undefined ||
      options.outcome !== undefined
    )
      await print(invocation, reading, run, options);
    return exitCodeOfRun(journal, run);
  });
}

async function rebuild(invocation: Invocation, reading: RunReading, run: RunRecord): Promise<void> {
  const { id, results } = run;
  // A process that is at it writes them itself.
  if (results === null || run.state === "running" || isUnsent(run)) return;
  const { signal } = invocation.io;
  try {
    const why = await notOurs(reading, run);
    if (why === null) await rebuildResults(reading, { id, results }, { signal });
    else narrate(invocation, `${shownPath(results)} is left as it is: ${why}.`);
  } catch (error) {
    signal.throwIfAborted();
    narrate(invocation, `${shownPath(results)} could not be written again (${codeOf(error)}).`);
  }
}

async function print(
  invocation: Invocation,
  reading: RunReading,
  run: RunRecord,
  { outcome, output }: BulkReportOptions,
): Promise<void> {
  const { out, globals, io } = invocation;
  const wanted: RowsWanted = { signal: io.signal, outcomes: outcome };
  if (output !== undefined) {
    const format = globals.format === "table" ? formatOf(output) : globals.format;
    let rows = 0;
    await writeOutput("--output", output, io.signal, async (append) => {
      for await (const text of texts(reading, run.id, wanted, format, (n) => (rows += n)))
        await append(text);
    });
    invocation.notice(`${plural(rows, "row")} in ${output}.`);
    return;
  }
  if (globals.format !== "table") {
    for await (const text of texts(reading, run.id, wanted, globals.format)) await out.write(text);
    return;
  }
  if (outcome === undefined) {
    const isOver = run.profile === sandboxProfile.name;
    const left = run.state === "stopped" || (run.state === "unrecorded" && canGoOn(run));
    const goesOn = left && !isOver;
    const resume = goesOn ? resumeCommand(run.id, globals.profile) : null;
    await out.write(summaryText(reading.journal, run, { format: "table", resume }));
    if (resume !== null) await out.line(`Resume with:\n  ${resume}`);
    if (left && isOver) await out.line(`It cannot be resumed. ${wayBack(run)}`);
    if (run.state === "unrecorded")
      await out.line(`Take it off the list:\n  supplyline bulk discard ${run.id}`);
  }
  await printTable(invocation, reading, run, outcome);
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

/** Rows as the text of a format, piece by piece. */
async function* texts(
  { journal }: RunReading,
  run: string,
  wanted: RowsWanted,
  format: Format,
  onRows: (n: number) => void = () => {},
): AsyncGenerator<string, void, void> {
  if (format === "csv") yield `${csvRow(resultColumns)}\n`;
  if (format === "json") yield "[";
  let isFirst = true;
  for await (const rows of rowPages(journal, run, wanted)) {
    onRows(rows.length);
    if (format === "csv") yield rows.map((row) => `${csvRow(resultCells(row))}\n`).join("");
    else if (format === "jsonl") yield rows.map((row) => `${toJson(rowJson(row))}\n`).join("");
    else
      yield rows
        .map((row, at) => `${isFirst && at === 0 ? "" : ","}\n  ${toJson(rowJson(row))}`)
        .join("");
    isFirst = false;
  }
  if (format === "json") yield isFirst ? "]\n" : "\n]\n";
}

function rowJson(row: RunRow): Readonly<Record<string, string | number | null>> {
  const cells = resultCells(row);
  return Object.fromEntries(resultColumns.map((name, at) => [name, cells[at] ?? null]));
}

const columns = ["Line", "Account or supply point", "Outcome", "Code", "Journal", "Detail"];

/** Rows for people: those asked for, or some of those that need attention. */
async function printTable(
  invocation: Invocation,
  { journal }: RunReading,
  { id, counts }: RunRecord,
  outcome: readonly RowOutcome[] | undefined,
): Promise<void> {
  const { out, io, globals } = invocation;
  const maxWidth = io.stdout.isTTY ? io.stdout.columns : undefined;
  const outcomes = outcome ?? attention;
  let printed = 0;
  for await (const rows of rowPages(journal, id, { signal: io.signal, outcomes })) {
    const some = outcome === undefined ? rows.slice(0, shownBelow) : rows;
    const titles = columns.map((title) => ({ title }));
    const lines = textTable(titles, some.map(cellsOf), { maxWidth, ascii: globals.ascii });
    if (printed === 0 && outcome === undefined) await out.line("");
    for (const line of printed === 0 ? lines : lines.slice(1)) await out.line(line);
    printed += some.length;
    if (outcome === undefined) break;
  }
  if (outcome !== undefined && printed === 0) invocation.notice("The run has no such row.");
  const more = counts.rejected + counts.unknown + counts.retryable - printed;
  if (outcome === undefined && more > 0)
    await out.line(
      `and ${count(more)} more: \`supplyline bulk report ${id} --format csv\` has all`,
    );
}

function cellsOf(row: RunRow): string[] {
  const { line, importSupplier, externalAccountNumber, externalIdentifier } = row;
  return [
    String(line),
    `${importSupplier} ${externalAccountNumber ?? externalIdentifier ?? ""}`,
    row.outcome,
    [row.httpStatus ?? "", row.code ?? row.status ?? ""].join(" ").trim(),
    row.journalId === null ? "" : String(row.journalId),
    row.detail ?? "",
  ];
}
