/** Writes rows of a run as an input file, to fix them and run them again. */
import { formatOf } from "../../bulk/input/layout.ts";
import { type RowOutcome, rowPages } from "../../bulk/rows.ts";
import { originalFormat, rowsToFix } from "../../bulk/rows-to-fix.ts";
import type { RunRecord, RunRow } from "../../bulk/run-record.ts";
import type { RunReading } from "../../bulk/runs.ts";
import { plural } from "../../text/numbers.ts";
import { shellQuote } from "../../text/shell-quote.ts";
import { usageError } from "../command-error.ts";
import type { Invocation } from "../invocation.ts";
import { writeOutput } from "../new-file.ts";

/** A selection of the rows of a run. */
interface InputRows {
  readonly outcomes: readonly RowOutcome[];
  readonly isWanted: (row: RunRow) => boolean;
  readonly count: number;
  /** The name of a row in messages, such as `rejected row`. */
  readonly noun: string;
}

export function rejectedRows({ counts }: RunRecord): InputRows {
  return {
    outcomes: ["rejected"],
    isWanted: () => true,
    count: counts.rejected,
    noun: "rejected row",
  };
}

interface Destination {
  /** The option that names the path. */
  readonly flag: string;
  /** The path of the file, or null for stdout. */
  readonly path: string | null;
  readonly rows: InputRows;
}

/**
 * Writes rows as an input for `bulk run`. Copies them from the input of the run if it is unchanged
 * and has the wanted format. Otherwise writes the sent rows as JSON lines. Throws `usage` if the
 * path has another format.
 */
export async function writeInputRows(
  invocation: Invocation,
  reading: RunReading,
  run: RunRecord,
  { flag, path, rows }: Destination,
): Promise<void> {
  const { io, out } = invocation;
  if (rows.count === 0) {
    invocation.notice(`Run ${run.id} has no ${rows.noun}; nothing was written.`);
    return;
  }
  const original = await originalFormat(run, io.signal);
  const wanted = path === null ? "detect" : formatOf(path);
  const isCopy = original !== null && (wanted === "detect" || wanted === original);
  if (!isCopy && wanted === "csv")
    throw usageError(
      `${flag} ${path}: ${original === null ? "the input is missing or was changed" : "the input has JSON lines"}, so the rows can only be written as JSON lines`,
      "Give it a name that ends in .jsonl.",
    );
  const found = wantedRows(io.signal, reading, run, rows);
  const pieces = rowsToFix(reading.journal, run, found, { isCopy, signal: io.signal });
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

async function* wantedRows(
  signal: AbortSignal,
  { journal }: RunReading,
  run: RunRecord,
  { outcomes, isWanted }: InputRows,
): AsyncGenerator<readonly RunRow[], void, void> {
  for await (const page of rowPages(journal, run.id, { signal, outcomes }))
    yield page.filter(isWanted);
}
