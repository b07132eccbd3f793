/** Rows of a run and entries as they were sent, as text for files. */
import { isRecord } from "../json/exact.ts";
import { toJson } from "../json/print.ts";
import { showActivity } from "../writes/activity-detail.ts";
import type { Journal } from "../writes/journal/open-journal.ts";
import { isOperation, kindOf } from "../writes/kinds/kinds.ts";
import type { RunRow } from "./run-record.ts";

/** Rows in one piece of text. */
const together = 256;

/**
 * Rows as they were sent, one object per line in the shape that `bulk run` reads, with their exact
 * digits: to fix and run again. A row whose body is no longer stored has only the names of its account.
 */
export function* sentJsonl(
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

/** Yields every item of whole entries of the journal, as it was sent. */
export function* entriesJsonl(
  journal: Journal,
  entries: Iterable<RunRow>,
): Generator<string, void, void> {
  const items = function* () {
    for (const row of entries)
      for (const item of itemsOf(journal, row.journalId)) yield { row, item };
  };
  yield* inPieces(items(), ({ row, item }) => `${toJson(namedItem(row, item))}\n`);
}

/** An item with the names of its account; a supply point's payload names itself (INTERFACE 4.6). */
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
