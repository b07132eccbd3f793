/** Rows of a run as an input of another run. */
import { createHash } from "node:crypto";
import { formatOf, type InputFormat } from "../../bulk/input/layout.ts";
import { type RawRecord, RecordCutter } from "../../bulk/input/record-cutter.ts";
import { type RowOutcome, rowPages } from "../../bulk/rows.ts";
import type { RunRecord, RunRow } from "../../bulk/run-record.ts";
import { readingFrom } from "../../bulk/run-settings.ts";
import type { RunReading } from "../../bulk/runs.ts";
import { sentJsonl } from "../../bulk/sent-rows.ts";
import { isAppError } from "../../errors/app-error.ts";
import { plural } from "../../text/numbers.ts";
import { shellQuote } from "../../text/shell-quote.ts";
import { usageError } from "../command-error.ts";
import type { Invocation } from "../invocation.ts";
import { writeOutput } from "../new-file.ts";
import { fileBytes } from "./input.ts";

/** Which rows, and what they are called. */
interface InputRows {
  readonly outcomes: readonly RowOutcome[];
  readonly isWanted: (row: RunRow) => boolean;
  readonly count: number;
  /** Such as `rejected row`. */
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
  /** Null for stdout. */
  readonly path: string | null;
  readonly rows: InputRows;
}

type Append = (piece: string | Uint8Array) => Promise<void>;

/**
 * Writes rows as an input that `bulk run` reads, to be fixed and run again: as they stand in the
 * input of the run where that is there unchanged, else as they were sent, as JSON lines. Throws
 * `usage` for a name that promises another format.
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
  const original = await originalOf(io.signal, run);
  const wanted = path === null ? "detect" : formatOf(path);
  const isCopy = original !== null && (wanted === "detect" || wanted === original);
  if (!isCopy && wanted === "csv")
    throw usageError(
      `${flag} ${path}: ${original === null ? "the input is missing or was changed" : "the input has JSON lines"}, so the rows can only be written as JSON lines`,
      "Give it a name that ends in .jsonl.",
    );
  const fill = (append: Append) => inputText(io.signal, reading, run, rows, isCopy, append);
  if (path === null) {
    const decoder = new TextDecoder();
    await fill((piece) =>
      out.write(typeof piece === "string" ? piece : decoder.decode(piece, { stream: true })),
    );
    return;
  }
  await writeOutput(flag, path, io.signal, fill);
  invocation.notice(
    `${plural(rows.count, rows.noun)} in ${path}. Fix them there, then run: supplyline bulk run ${run.kind} --from ${shellQuote(path)}`,
  );
}

async function inputText(
  signal: AbortSignal,
  { journal }: RunReading,
  run: RunRecord,
  { outcomes, isWanted }: InputRows,
  isCopy: boolean,
  append: Append,
): Promise<void> {
  const lines = new Set<number>();
  for await (const page of rowPages(journal, run.id, { signal, outcomes })) {
    const found = page.filter(isWanted);
    if (isCopy) for (const { line } of found) lines.add(line);
    else for (const text of sentJsonl(journal, run.id, found)) await append(text);
  }
  if (!isCopy) return;
  const { format } = readingFrom(run.reading);
  await copyRecords(fileBytes(run.source, run.source, signal), lines, append, format);
}

/** The format of the input where it is there and still the one that was run; else null. */
async function originalOf(
  signal: AbortSignal,
  { source, sha256, reading }: RunRecord,
): Promise<"csv" | "jsonl" | null> {
  if (source === "-" || source === "console") return null;
  const hash = createHash("sha256");
  let first = "";
  try {
    for await (const chunk of fileBytes(source, source, signal)) {
      signal.throwIfAborted();
      if (first.trim() === "") first = new TextDecoder().decode(chunk.subarray(0, 4096));
      hash.update(chunk);
    }
  } catch (error) {
    if (isAppError(error, "command")) return null;
    throw error;
  }
  if (hash.digest("hex") !== sha256) return null;
  const { format } = readingFrom(reading);
  if (format !== "detect") return format;
  return /^[{[]/.test(first.trim()) ? "jsonl" : "csv";
}

/**
 * Copies the header of a CSV input and the records that begin on these lines, byte for byte; a last
 * one without a line end stays without. `write` is given bytes of its own. Lines that are not in a
 * set come in ascending order.
 */
export async function copyRecords(
  bytes: AsyncIterable<Uint8Array>,
  lines: ReadonlySet<number> | Iterable<number>,
  write: (bytes: Uint8Array) => void | Promise<void>,
  format: InputFormat = "detect",
): Promise<void> {
  const cutter = new RecordCutter(format);
  const isWanted = wanting(lines);
  let isFirst = true;
  const copy = async (record: RawRecord) => {
    const isHeader = isFirst && cutter.layout?.kind === "csv";
    isFirst = false;
    if (isWanted(record.line) || isHeader) await write(Uint8Array.from(record.bytes));
  };
  for await (const chunk of bytes) {
    cutter.append(chunk);
    for (let record = cutter.take(); record !== null; record = cutter.take()) await copy(record);
  }
  cutter.finish();
  for (let record = cutter.take(); record !== null; record = cutter.take()) await copy(record);
}

function wanting(lines: ReadonlySet<number> | Iterable<number>): (line: number) => boolean {
  if (lines instanceof Set) return (line) => lines.has(line);
  const ascending = lines[Symbol.iterator]();
  let next = ascending.next();
  return (line) => {
    while (!next.done && next.value < line) next = ascending.next();
    return !next.done && next.value === line;
  };
}
