/**
 * Exports rows of a run or entries of the journal as a new input, so that users can fix and run
 * them again.
 */

import { isRecord, toJson } from "../json/exact.ts";
import type { InputFormat } from "../rows/layout.ts";
import { RecordCutter } from "../rows/record-cutter.ts";
import { showActivity } from "../writes/activity-detail.ts";
import type { Journal } from "../writes/journal/open-journal.ts";
import { isOperation, kindOf } from "../writes/kinds/kinds.ts";
import type { RunRecord, RunRow } from "./run-record.ts";
import { readingFrom } from "./run-settings.ts";
import { digestOf, openSourceFile, sourceBytes } from "./source.ts";

const headBytes = 4096;

/**
 * Returns the format of a run's input file. Returns null if the input was not a file (stdin or the
 * console), or if the file cannot be read or has changed. Rejects with the reason of the signal.
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

export type RowPages = AsyncIterable<Iterable<RunRow>> | Iterable<Iterable<RunRow>>;

/**
 * Yields the text of a new input with rows of a run, or with entries of the journal if `run` is
 * null. If `isCopy` is true and there is a run, copies the rows byte for byte from the input file of
 * the run. Otherwise yields JSON lines of the rows as sent. Throws an error of the input file, an
 * error of the journal, or the reason of the signal.
 */
export async function* rowsToFix(
  journal: Journal,
  run: Pick<RunRecord, "source" | "reading"> | null,
  pages: RowPages,
  { isCopy, signal }: { readonly isCopy: boolean; readonly signal: AbortSignal },
): AsyncGenerator<string | Uint8Array, void, void> {
  if (run === null || !isCopy) {
    for await (const rows of pages) yield sentJsonl(journal, rows);
    return;
  }
  const lines = new Set<number>();
  for await (const rows of pages) for (const { line } of rows) lines.add(line);
  const { format } = readingFrom(run.reading);
  yield* copiedRecords(sourceBytes({ kind: "file", path: run.source }, signal), lines, format);
}

/** Yields the header of a CSV input and the records that begin on `lines`, byte for byte. */
export async function* copiedRecords(
  bytes: AsyncIterable<Uint8Array>,
  lines: ReadonlySet<number>,
  format: InputFormat = "detect",
): AsyncGenerator<Uint8Array, void, void> {
  const cutter = new RecordCutter(format);
  let isFirst = true;
  for await (const records of cutter.cut(bytes))
    for (const record of records) {
      const isHeader = isFirst && cutter.layout?.kind === "csv";
      isFirst = false;
      // A copy, because the cutter reuses its buffer for the next records.
      if (lines.has(record.line) || isHeader) yield Uint8Array.from(record.bytes);
    }
}

/**
 * Returns rows as sent, one JSON object per line with exact digits, in the format that `bulk run`
 * reads. If the body of an entry was purged, a row for one item has only the fields of its account,
 * and a row for all items (`position` null) adds nothing.
 */
function sentJsonl(journal: Journal, rows: Iterable<RunRow>): string {
  let text = "";
  let itemsEntry: number | null = null;
  let items: readonly unknown[] = [];
  for (const row of rows) {
    const { journalId, position } = row;
    if (itemsEntry !== journalId) items = itemsOf(journal, journalId);
    itemsEntry = journalId;
    for (const item of position === null ? items : [items[position]])
      text += `${toJson(withAccount(row, item))}\n`;
  }
  return text;
}

/**
 * Returns an item with the fields that identify its account or supply point. The payload of a
 * supply point already has these fields (INTERFACE 4.6).
 */
function withAccount(row: RunRow, item: unknown): unknown {
  if (row.externalAccountNumber === null && isRecord(item)) return item;
  const account = {
    import_supplier: row.importSupplier,
    ...(row.externalIdentifier === null
      ? { external_account_number: row.externalAccountNumber }
      : { external_identifier: row.externalIdentifier }),
  };
  return isRecord(item) ? { ...account, ...item } : account;
}

/** Returns the items of an entry as sent, or none if the body was purged. */
function itemsOf(journal: Journal, id: number): readonly unknown[] {
  const { operation, body } = showActivity(journal, id);
  if (!isRecord(body)) return [];
  const field = isOperation(operation) ? kindOf(operation).itemsField : null;
  const items = field === null ? undefined : body[field];
  return Array.isArray(items) ? items : [body];
}
