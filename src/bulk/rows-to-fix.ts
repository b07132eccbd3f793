/**
 * Exports rows of a run or entries of the journal as a new input, so that users can fix and run
 * them again.
 */

import { isRecord } from "../json/exact.ts";
import { toJson } from "../json/print.ts";
import { showActivity } from "../writes/activity-detail.ts";
import type { Journal } from "../writes/journal/open-journal.ts";
import { isOperation, kindOf } from "../writes/kinds/kinds.ts";
import type { InputFormat } from "./input/layout.ts";
import { RecordCutter } from "./input/record-cutter.ts";
import type { RunRecord, RunRow } from "./run-record.ts";
import { readingFrom } from "./run-settings.ts";
import { digestOf, openSourceFile, sourceBytes } from "./source.ts";

/** Number of bytes that are read to detect the format. */
const headBytes = 4096;

/**
 * Returns the format of a run's input file, or null if the file is missing or has changed. Rejects
 * with the reason of the signal.
 */
export async function originalFormat(
  { source, sha256, reading }: Pick<RunRecord, "source" | "sha256" | "reading">,
  signal: AbortSignal,
): Promise<"csv" | "jsonl" | null> {
  if (source === "-" || source === "console") return null;
  let head = "";
  try {
    const file = await openSourceFile(source, signal);
    head = new TextDecoder().decode(await file.head(headBytes));
    await file.close();
    if ((await digestOf(source, signal)) !== sha256) return null;
  } catch {
    signal.throwIfAborted();
    return null;
  }
  const { format } = readingFrom(reading);
  if (format !== "detect") return format;
  return /^[{[]/.test(head.trim()) ? "jsonl" : "csv";
}

/** Rows of a run, one page at a time. */
export type RowPages = AsyncIterable<Iterable<RunRow>> | Iterable<Iterable<RunRow>>;

/**
 * Yields rows of a run. With `isCopy` they are copied byte for byte from the input, otherwise they
 * are JSON lines as sent. If `run` is null, the rows are journal entries. Throws the error of the
 * input, a journal error, or the reason of the signal.
 */
export async function* rowsToFix(
  journal: Journal,
  run: Pick<RunRecord, "id" | "source" | "reading"> | null,
  pages: RowPages,
  { isCopy, signal }: { readonly isCopy: boolean; readonly signal: AbortSignal },
): AsyncGenerator<string | Uint8Array, void, void> {
  const lines = new Set<number>();
  for await (const rows of pages) {
    if (run === null) yield* entriesJsonl(journal, rows);
    else if (isCopy) for (const { line } of rows) lines.add(line);
    else yield* sentJsonl(journal, run.id, rows);
  }
  if (run === null || !isCopy) return;
  const { format } = readingFrom(run.reading);
  yield* copiedRecords(sourceBytes({ kind: "file", path: run.source }, signal), lines, format);
}

/**
 * Yields the header of a CSV input and the records that begin on `lines`, byte for byte. Lines that
 * are not in a set must be in ascending order.
 */
export async function* copiedRecords(
  bytes: AsyncIterable<Uint8Array>,
  lines: ReadonlySet<number> | Iterable<number>,
  format: InputFormat = "detect",
): AsyncGenerator<Uint8Array, void, void> {
  const cutter = new RecordCutter(format);
  const isWanted = wanting(lines);
  let isFirst = true;
  for await (const records of cutter.cut(bytes))
    for (const record of records) {
      const isHeader = isFirst && cutter.layout?.kind === "csv";
      isFirst = false;
      // The cutter reuses its buffer.
      if (isWanted(record.line) || isHeader) yield Uint8Array.from(record.bytes);
    }
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

/** Number of rows in one piece of text. */
const together = 256;

/**
 * Yields rows as sent, one JSON object per line with exact digits, in the format that `bulk run`
 * reads. A row whose body was purged has only the fields of its account.
 */
function* sentJsonl(
  journal: Journal,
  run: string,
  rows: Iterable<RunRow>,
): Generator<string, void, void> {
  let entry: { readonly id: number; readonly items: readonly unknown[] } | null = null;
  yield* inPieces(rows, (row) => {
    const id = row.journalId;
    if (entry?.id !== id) entry = { id, items: itemsOf(journal, id) };
    const item = entry.items[positionOf(journal, run, row.line)];
    return `${toJson(namedItem(row, item))}\n`;
  });
}

/** Yields every item of journal entries as sent, one JSON object per line. */
function* entriesJsonl(journal: Journal, entries: Iterable<RunRow>): Generator<string, void, void> {
  const items = function* () {
    for (const row of entries)
      for (const item of itemsOf(journal, row.journalId)) yield { row, item };
  };
  yield* inPieces(items(), ({ row, item }) => `${toJson(namedItem(row, item))}\n`);
}

/**
 * Returns an item with the fields of its account. The payload of a supply point already has them
 * (INTERFACE 4.6).
 */
function namedItem(row: RunRow, item: unknown): unknown {
  if (row.externalAccountNumber === null && isRecord(item)) return item;
  const named = {
    import_supplier: row.importSupplier,
    ...(row.externalIdentifier === null
      ? { external_account_number: row.externalAccountNumber }
      : { external_identifier: row.externalIdentifier }),
  };
  return isRecord(item) ? { ...named, ...item } : named;
}

/** Returns the position of a row's item in its request. */
function positionOf(journal: Journal, run: string, line: number): number {
  const sql = "SELECT position FROM run_row WHERE run = ? AND line = ?";
  return journal.read((rows) => rows.number(sql, run, line));
}

function itemsOf(journal: Journal, id: number): readonly unknown[] {
  const { operation, body } = showActivity(journal, id);
  if (!isRecord(body)) return [];
  const field = isOperation(operation) ? kindOf(operation).itemsField : null;
  const items = field === null ? undefined : body[field];
  return Array.isArray(items) ? items : [body];
}

function* inPieces<T>(rows: Iterable<T>, text: (row: T) => string): Generator<string, void, void> {
  let piece = "";
  let gathered = 0;
  for (const row of rows) {
    piece += text(row);
    gathered += 1;
    if (gathered < together) continue;
    yield piece;
    piece = "";
    gathered = 0;
  }
  if (piece !== "") yield piece;
}
