/** Finds the open runs of a service: unfinished runs, and runs with rejected rows. */
import { setImmediate } from "node:timers/promises";
import { serviceKey } from "../api/url.ts";
import { type Row, text, whole } from "../sqlite/rows.ts";
import { confirmedLater } from "../writes/item-keys.ts";
import type { Journal } from "../writes/journal/open-journal.ts";
import type { RunRecord } from "./run-record.ts";
import { rowsLeft } from "./run-words.ts";
import { listRuns, type RunReading } from "./runs.ts";

/**
 * Returns the unfinished runs without a process, newest first: stopped with rows left, or not
 * completely recorded. Throws a journal error.
 */
export function unfinishedRuns(reading: RunReading, baseUrl: string): readonly RunRecord[] {
  return listRuns(reading, { baseUrl, notEnded: true }).filter(
    (run) => run.state === "unrecorded" || (run.state === "stopped" && rowsLeft(run) > 0),
  );
}

/** The number of a supplier's rejected rows in a run, without those confirmed later. */
export interface RejectedRows {
  readonly run: string;
  readonly profile: string;
  readonly supplier: string;
  readonly rows: number;
}

const pageSize = 500;

/**
 * Returns the rejected rows of a service's runs by run and supplier, newest run first. Rejects with
 * a journal error, or with the reason of the signal.
 */
export async function openRejectedRows(
  journal: Journal,
  baseUrl: string,
  signal: AbortSignal,
): Promise<readonly RejectedRows[]> {
  const runs = journal.read((rows) =>
    rows.all(
      `SELECT id, profile FROM run WHERE service = ? AND EXISTS (
         SELECT 1 FROM run_count WHERE run = run.id AND outcome = 'rejected' AND n > 0)
       ORDER BY created_at DESC, id`,
      serviceKey(baseUrl),
    ),
  );
  const rejectedRows: RejectedRows[] = [];
  for (const row of runs) {
    const [run, profile] = [text(row, "id"), text(row, "profile")];
    const counts = new Map<string, number>();
    for await (const page of rejectedPages(journal, run, signal))
      for (const rejected of page) {
        if (whole(rejected, "is_open") !== 1) continue;
        const supplier = text(rejected, "import_supplier");
        counts.set(supplier, (counts.get(supplier) ?? 0) + 1);
      }
    for (const [supplier, rows] of counts) rejectedRows.push({ run, profile, supplier, rows });
  }
  return rejectedRows;
}

async function* rejectedPages(
  journal: Journal,
  run: string,
  signal: AbortSignal,
): AsyncGenerator<readonly Row[], void, void> {
  const sql = `SELECT r.line, of.import_supplier,
      of.state <> 'closed' AND NOT ${confirmedLater("mine.position = r.position")} AS is_open
    FROM run_row r INDEXED BY run_row_outcome JOIN intent of ON of.id = r.intent
    WHERE r.run = ? AND r.outcome = 'rejected' AND r.line > ? ORDER BY r.line LIMIT ${pageSize}`;
  for (let last = -1; ; ) {
    signal.throwIfAborted();
    const page = journal.read((rows) => rows.all(sql, run, last));
    yield page;
    if (page.length < pageSize) return;
    last = whole(page.at(-1) ?? {}, "line");
    // Reading the journal is synchronous, so keys and signals are handled between pages.
    await setImmediate();
  }
}
