/** Reads the rows of a run and their outcomes from the journal. */

import { setImmediate } from "node:timers/promises";
import { maybeText, maybeWhole, type Row, type Rows, text, whole } from "../sqlite/rows.ts";
import { capital } from "../text/connection-words.ts";
import type { TookEffect } from "../writes/journal/entry.ts";
import type { Journal } from "../writes/journal/open-journal.ts";
import { isOperation } from "../writes/kinds/kinds.ts";
import { Contents } from "../writes/words/contents.ts";
import { type DetailFacts, detailOf } from "../writes/words/detail.ts";
import { closedWords } from "../writes/words/outcomes.ts";
import type { RunCounts, RunRow } from "./run-record.ts";

/** The states of rows to read, as the journal stores them, or null for all. */
export type RowStates = readonly (keyof RunCounts)[] | null;

interface RowFilter {
  /** Default: all. */
  readonly states?: RowStates | undefined;
  /** Reads only rows after this line, for reading in pages. Default: -1. */
  readonly afterLine?: number | undefined;
  /** Reads only rows before this line: the last of them if there is a limit. */
  readonly beforeLine?: number | undefined;
  readonly limit?: number | undefined;
}

const selectBy = (index: string) => `SELECT r.line, r.position, r.outcome, r.intent,
  i.import_supplier, i.external_account_number, i.external_identifier, i.operation, i.state, i.reason, i.took_effect,
  i.doubt, i.http_status, i.code, item.outcome AS item_outcome, item.status,
  CASE WHEN r.outcome IN ('rejected', 'retryable', 'unknown') OR (r.outcome = 'confirmed' AND item.status IS NULL) THEN (
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

/**
 * SQL that reads the rows with one outcome. The hint is needed because SQLite does not know how
 * rare an outcome is, and would read the whole run.
 */
const selectByOutcome = selectBy("INDEXED BY run_row_outcome");

const noLimit = -1;

/** Reads rows of a run in the order of their lines. Throws a journal error. */
export function readRunRows(journal: Journal, run: string, filter: RowFilter = {}): RunRow[] {
  const { states = null, afterLine = -1, beforeLine, limit = noLimit } = filter;
  const [range, line] =
    beforeLine === undefined
      ? ["r.line > ? ORDER BY r.line", afterLine]
      : ["r.line < ? ORDER BY r.line DESC", beforeLine];
  return journal.read((rows) => {
    // Each state is read separately, so that SQLite can read it in order from the index.
    const selected = conditionsOf(states).flatMap(({ where, values }) =>
      rows.all(
        `${where === "" ? select : selectByOutcome} WHERE r.run = ? ${where} AND ${range} LIMIT ?`,
        ...[run, ...values, line, limit],
      ),
    );
    selected.sort((one, other) => whole(one, "line") - whole(other, "line"));
    if (limit === noLimit) return selected.map(rowOf);
    return (beforeLine === undefined ? selected.slice(0, limit) : selected.slice(-limit)).map(
      rowOf,
    );
  });
}

/** Returns the line at `index` among the rows in these states, or null if there are fewer. */
export function lineAt(
  journal: Journal,
  run: string,
  states: RowStates,
  index: number,
): number | null {
  const conditions = conditionsOf(states);
  // The index has the lines of each outcome in order.
  const [limit, skipped] = conditions.length === 1 ? [1, index] : [index + 1, 0];
  const lines = journal.read((rows) =>
    conditions.flatMap(({ where, values }) => {
      const sql = `SELECT line FROM run_row r WHERE run = ? ${where} ORDER BY line LIMIT ? OFFSET ?`;
      return rows.all(sql, run, ...values, limit, skipped).map((row) => whole(row, "line"));
    }),
  );
  return lines.sort((a, b) => a - b)[index - skipped] ?? null;
}

/** Counts rows in these states from line `from` to before line `before`. Throws a journal error. */
export function countRows(
  journal: Journal,
  run: string,
  states: RowStates,
  { from = 0, before = Number.MAX_SAFE_INTEGER } = {},
): number {
  return journal.read((rows) =>
    conditionsOf(states)
      .map(({ where, values }) => {
        const sql = `SELECT count(*) FROM run_row r WHERE run = ? ${where} AND line >= ? AND line < ?`;
        return rows.number(sql, run, ...values, from, before);
      })
      .reduce((sum, n) => sum + n, 0),
  );
}

function conditionsOf(states: RowStates): readonly { where: string; values: readonly string[] }[] {
  if (states === null) return [{ where: "", values: [] }];
  return [...new Set(states)].map((state) => ({ where: "AND r.outcome = ?", values: [state] }));
}

export interface RowsWanted {
  readonly signal: AbortSignal;
  /** Default: all. */
  readonly states?: RowStates | undefined;
}

/** Number of rows or entries that are read at a time, so that other work can run in between. */
const pageSize = 500;

/**
 * Yields the rows of a run in the order of their lines, one page at a time. Throws a journal error,
 * or the reason of the signal.
 */
export async function* rowPages(
  journal: Journal,
  run: string,
  { signal, states }: RowsWanted,
): AsyncGenerator<readonly RunRow[], void, void> {
  let afterLine = -1;
  for (;;) {
    signal.throwIfAborted();
    const rows = readRunRows(journal, run, { states, afterLine, limit: pageSize });
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    if (rows.length < pageSize) return;
    afterLine = last.line;
    // Reading the journal is synchronous, so signals are handled between pages.
    await setImmediate();
  }
}

export function rowsOfIntent(rows: Rows, intent: number): RunRow[] {
  return rows.all(`${select} WHERE r.intent = ? ORDER BY r.position`, intent).map(rowOf);
}

/** Returns the rows of these lines, for example the `sample` of a cause. Throws a journal error. */
export function rowsOfLines(
  journal: Journal,
  run: string,
  lines: readonly number[],
): readonly RunRow[] {
  const sql = `${select} WHERE r.run = ? AND r.line = ?`;
  return journal.read((rows) => lines.flatMap((line) => rows.all(sql, run, line).map(rowOf)));
}

function rowOf(row: Row): RunRow {
  const stored = text(row, "outcome") as keyof RunCounts;
  const outcome = stored === "waiting" ? "unsent" : stored === "exists" ? "confirmed" : stored;
  const { words, errorCodes } = detailOf(factsOf(row, outcome));
  return {
    line: whole(row, "line"),
    importSupplier: text(row, "import_supplier"),
    externalAccountNumber: maybeText(row, "external_account_number"),
    externalIdentifier: maybeText(row, "external_identifier"),
    outcome,
    isLeft: stored === "waiting" && maybeText(row, "state") === "intent",
    existed: stored === "exists",
    isUnapproved: outcome === "unsent" && maybeText(row, "reason") === "not-approved",
    status: maybeText(row, "status"),
    httpStatus: maybeWhole(row, "http_status"),
    code: outcome === "confirmed" ? null : maybeText(row, "code"),
    detail: words,
    errorCodes,
    journalId: whole(row, "intent"),
    position: whole(row, "position"),
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
    note: noteOf(row),
  };
}

/** Returns the journal's note about a row, with the operator's answer if it says that it is known. */
function noteOf(row: Row): string | null {
  const remark = maybeText(row, "remark");
  const tookEffect = maybeText(row, "took_effect") as TookEffect | null;
  if (remark === null || tookEffect === null || tookEffect === "unknown") return remark;
  return `${capital(closedWords[tookEffect].short)}: ${remark}`;
}

/** SQL for the entries of a run that a resume would send or verify. */
const unsettled = `SELECT id, line, operation, body FROM intent WHERE run = ? AND run IS NOT NULL
    AND state IN ('intent', 'unsent', 'unknown', 'retryable') AND (line, id) > (?, ?)
  ORDER BY line, id LIMIT ?`;

/** Returns the exact sum of amounts left to send, as decimal text. Rejects with a journal error. */
export async function remainingSum(journal: Journal, run: string): Promise<string> {
  let counted: Contents | null = null;
  for (let after = { line: -1, id: -1 }; ; ) {
    const rows = journal.read((open) => open.all(unsettled, run, after.line, after.id, pageSize));
    for (const row of rows) {
      after = { line: whole(row, "line"), id: whole(row, "id") };
      const operation = text(row, "operation");
      if (!(row.body instanceof Uint8Array) || !isOperation(operation)) continue;
      counted ??= new Contents(operation);
      counted.addBody(row.body);
    }
    if (rows.length < pageSize) return counted?.sum ?? "0";
    await setImmediate();
  }
}
