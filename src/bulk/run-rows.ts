/** The rows of a run with their outcomes, read from the journal. */

import type { SQLInputValue } from "node:sqlite";
import { setImmediate } from "node:timers/promises";
import { ExactSum } from "../forms/decimals.ts";
import { maybeText, maybeWhole, type Row, type Rows, text, whole } from "../sqlite/rows.ts";
import type { Journal } from "../writes/journal/open-journal.ts";
import { isOperation } from "../writes/kinds/kinds.ts";
import { amountsOf } from "../writes/prepare.ts";
import { type DetailFacts, detailOf } from "../writes/words/detail.ts";
import type { RunCounts, RunRow } from "./run-record.ts";

/** `exists` are the confirmed rows that already existed; `confirmed` means both. */
export type RowOutcome = RunRow["outcome"] | "exists";

interface RowFilter {
  readonly outcomes?: readonly RowOutcome[] | undefined;
  /** Only rows behind this line; for reading a page at a time. */
  readonly afterLine?: number | undefined;
  /** All of them by default. */
  readonly limit?: number | undefined;
}

/** The states in the journal's table of rows for an outcome. */
const storedAs: Readonly<Record<RowOutcome, readonly (keyof RunCounts)[]>> = {
  unsent: ["waiting"],
  sending: ["sending"],
  confirmed: ["confirmed", "exists"],
  exists: ["exists"],
  rejected: ["rejected"],
  retryable: ["retryable"],
  unknown: ["unknown"],
  closed: ["closed"],
};

const selectBy = (index: string) => `SELECT r.line, r.position, r.outcome, r.intent,
  i.import_supplier, i.external_account_number, i.external_identifier, i.operation, i.state, i.reason,
  i.doubt, i.http_status, i.code, item.outcome AS item_outcome, item.status,
  CASE WHEN r.outcome IN ('rejected', 'retryable', 'unknown') THEN (
    SELECT response FROM attempt WHERE attempt.intent = r.intent ORDER BY n DESC LIMIT 1) END AS response,
  CASE WHEN r.outcome = 'closed' THEN (
    SELECT text FROM remark WHERE remark.intent = r.intent AND kind IN ('closed', 'verified')
    ORDER BY id DESC LIMIT 1)
  WHEN r.outcome = 'waiting' AND i.reason = 'sent-before' THEN (
    SELECT text FROM remark WHERE remark.intent = r.intent AND kind = 'guarded'
    ORDER BY id DESC LIMIT 1) END AS remark
  FROM run_row r ${index} LEFT JOIN intent i ON i.id = r.intent
  LEFT JOIN item ON item.intent = r.intent AND item.position = r.position`;

const select = selectBy("");

/** Without the hint SQLite reads the whole run: it does not know how rare an outcome is. */
const selectByOutcome = selectBy("INDEXED BY run_row_outcome");

const everything = -1;

/** Rows of a run in the order of their lines. Throws AppError. */
export function readRunRows(journal: Journal, run: string, filter: RowFilter = {}): RunRow[] {
  const { outcomes, afterLine = -1, limit = everything } = filter;
  return journal.read((rows) => {
    const page = (from: string, and: string, ...values: readonly SQLInputValue[]) =>
      rows.all(
        `${from} WHERE r.run = ? ${and} AND r.line > ? ORDER BY r.line LIMIT ?`,
        run,
        ...values,
        afterLine,
        limit,
      );
    if (outcomes === undefined) return page(select, "").map(rowOf);
    // One after another, so that each is read in order from the index, however few there are.
    const found = [...new Set(outcomes.flatMap((outcome) => storedAs[outcome]))].flatMap((kept) =>
      page(selectByOutcome, "AND r.outcome = ?", kept),
    );
    found.sort((one, other) => whole(one, "line") - whole(other, "line"));
    return found.slice(0, limit === everything ? found.length : limit).map(rowOf);
  });
}

/** The rows made of one entry, in the order of its items. */
export function rowsOfIntent(rows: Rows, intent: number): RunRow[] {
  return rows.all(`${select} WHERE r.intent = ? ORDER BY r.position`, intent).map(rowOf);
}

/** The row of a line; null when there is none. */
export function rowOfLine(rows: Rows, run: string, line: number): RunRow | null {
  const row = rows.get(`${select} WHERE r.run = ? AND r.line = ?`, run, line);
  return row === undefined ? null : rowOf(row);
}

function rowOf(row: Row): RunRow {
  const kept = text(row, "outcome") as keyof RunCounts;
  const outcome = kept === "waiting" ? "unsent" : kept === "exists" ? "confirmed" : kept;
  const { words, errorCodes } = detailOf(factsOf(row, outcome));
  return {
    line: whole(row, "line"),
    importSupplier: text(row, "import_supplier"),
    externalAccountNumber: maybeText(row, "external_account_number"),
    externalIdentifier: maybeText(row, "external_identifier"),
    outcome,
    status: maybeText(row, "status"),
    httpStatus: maybeWhole(row, "http_status"),
    code: outcome === "confirmed" ? null : maybeText(row, "code"),
    detail: words,
    errorCodes,
    journalId: whole(row, "intent"),
  };
}

function factsOf(row: Row, outcome: RunRow["outcome"]): DetailFacts {
  return {
    outcome,
    operation: text(row, "operation"),
    position: whole(row, "position"),
    itemOutcome: maybeText(row, "item_outcome"),
    reason: maybeText(row, "reason"),
    doubt: text(row, "doubt"),
    httpStatus: maybeWhole(row, "http_status"),
    response: maybeText(row, "response"),
    remark: maybeText(row, "remark"),
  };
}

/** Entries read at a time, so that other work runs in between. */
const together = 500;

const left = `SELECT id, line, operation, body FROM intent WHERE run = ? AND run IS NOT NULL
    AND state IN ('intent', 'unsent', 'unknown', 'retryable') AND (line, id) > (?, ?)
  ORDER BY line, id LIMIT ?`;

/** The exact sum, as decimal text, of a run's transactions that are left to send. Rejects with AppError. */
export async function remainingSum(journal: Journal, run: string): Promise<string> {
  const sum = new ExactSum();
  for (let after = { line: -1, id: -1 }; ; ) {
    const rows = journal.read((open) => open.all(left, run, after.line, after.id, together));
    for (const row of rows) {
      after = { line: whole(row, "line"), id: whole(row, "id") };
      const operation = text(row, "operation");
      if (!(row.body instanceof Uint8Array) || !isOperation(operation)) continue;
      for (const amount of amountsOf(operation, row.body) ?? []) sum.add(amount);
    }
    if (rows.length < together) return sum.text();
    await setImmediate();
  }
}
