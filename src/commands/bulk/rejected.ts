import { type RowStates, rowPages } from "../../bulk/rows.ts";
import { originalFormat, rowsToFix } from "../../bulk/rows-to-fix.ts";
import { causesOfRun, failureOf } from "../../bulk/run-causes.ts";
import type { RunRecord, RunRow } from "../../bulk/run-record.ts";
import { type RunReading, readRun } from "../../bulk/runs.ts";
import { formatOf } from "../../rows/layout.ts";
import { plural } from "../../text/numbers.ts";
import { shellQuote } from "../../text/shell-quote.ts";
import { causeKey, failedOutcomes } from "../../writes/causes.ts";
import { chosenCause } from "../causes.ts";
import { usageError } from "../command-error.ts";
import { exitCode } from "../exit-codes.ts";
import type { Invocation } from "../invocation.ts";
import { writeOutput } from "../output-file.ts";
import { exits, type Verb } from "../verb.ts";
import { withJournalToRead } from "../with-journal.ts";

export const verb: Verb = {
  description: "the rejected rows of a run, or those of one cause, as an input to fix and run",
  declare: (command) =>
    command
      .argument("<run>", "run ID, as printed by bulk run")
      .option(
        "--cause <cause>",
        "the rows of this cause: its number in `bulk report RUN --by cause`, or its key",
      )
      .option("--output <file>", "a new file to write to, instead of stdout"),
  async run(invocation, id: string, { cause, output }: BulkRejectedOptions) {
    return withJournalToRead(invocation, async (_, reading) => {
      const run = readRun(reading, id);
      const rows =
        cause === undefined
          ? rejectedRows(run)
          : await rowsOfCause(invocation, reading, run, cause);
      await writeInputRows(invocation, reading, run, {
        flag: "--output",
        path: output ?? null,
        rows,
      });
      return exitCode.done;
    });
  },
  exits: exits.entry,
  examples: [
    "supplyline bulk rejected r7k2qd --cause 1 --output fix-these.csv",
    "supplyline bulk rejected r7k2qd --cause notes-create:404:not_found",
  ],
};

interface BulkRejectedOptions {
  readonly cause?: string;
  readonly output?: string;
}

/**
 * Returns the selection of the rows of one cause. Prints a problem if some of these rows might have
 * taken effect.
 */
async function rowsOfCause(
  invocation: Invocation,
  { journal }: RunReading,
  run: RunRecord,
  cause: string,
): Promise<InputRows> {
  const { signal } = invocation.io;
  const { key, count, inDoubt } = chosenCause(await causesOfRun(journal, run, { signal }), cause);
  if (inDoubt > 0) {
    const pronoun = inDoubt === 1 ? "it" : "them";
    invocation.problem(
      `${plural(inDoubt, "row")} of this cause might have taken effect. Verify ${pronoun} before you run ${pronoun} again.`,
    );
  }
  return {
    states: failedOutcomes,
    isIncluded: (row) => causeKey(failureOf(journal, run.kind, row)) === key,
    count,
    noun: "row",
  };
}

interface InputRows {
  readonly states: RowStates;
  /** Returns true for a row to write. Default: all rows with these outcomes. */
  readonly isIncluded?: (row: RunRow) => boolean;
  readonly count: number;
  readonly noun: string;
}

export function rejectedRows({ counts }: RunRecord): InputRows {
  return {
    states: ["rejected"],
    count: counts.rejected,
    noun: "rejected row",
  };
}

interface RowsToWrite {
  readonly flag: string;
  /** The path of the file, or null for stdout. */
  readonly path: string | null;
  readonly rows: InputRows;
}

/**
 * Writes rows as an input for `bulk run`. Copies them from the input file of the run if that file
 * is unchanged and has the format of the path. Otherwise writes the rows as sent, as JSON lines.
 * Throws `usage` if the path ends in .csv and the rows cannot be copied from a CSV file.
 */
export async function writeInputRows(
  invocation: Invocation,
  reading: RunReading,
  run: RunRecord,
  { flag, path, rows }: RowsToWrite,
): Promise<void> {
  const { io, out } = invocation;
  if (rows.count === 0) {
    invocation.notice(`Run ${run.id} has no ${rows.noun}; nothing was written.`);
    return;
  }
  const original = await originalFormat(run, io.signal);
  const format = path === null ? "detect" : formatOf(path);
  const isCopy = original !== null && (format === "detect" || format === original);
  if (!isCopy && format === "csv")
    throw usageError(
      `${flag} ${path}: ${original === null ? "the input was not a file, is missing or has changed" : "the input has JSON lines"}, so the rows can only be written as JSON lines`,
      "Use a file name that ends in .jsonl.",
    );
  const pages = selectedPages(io.signal, reading, run, rows);
  const pieces = rowsToFix(reading.journal, run, pages, { isCopy, signal: io.signal });
  if (path === null) {
    const decoder = new TextDecoder();
    for await (const piece of pieces)
      await out.write(typeof piece === "string" ? piece : decoder.decode(piece, { stream: true }));
    return;
  }
  await writeOutput(flag, path, io.signal, async (append) => {
    for await (const piece of pieces) await append(piece);
  });
  invocation.notice(
    `${plural(rows.count, rows.noun)} in ${path}. Fix them there, then run: supplyline bulk run ${run.kind} --from ${shellQuote(path)}`,
  );
}

async function* selectedPages(
  signal: AbortSignal,
  { journal }: RunReading,
  run: RunRecord,
  { states, isIncluded }: InputRows,
): AsyncGenerator<readonly RunRow[], void, void> {
  for await (const page of rowPages(journal, run.id, { signal, states }))
    yield isIncluded === undefined ? page : page.filter(isIncluded);
}
