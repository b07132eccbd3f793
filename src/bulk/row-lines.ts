/** Finding one's way in the rows of a run without reading all of them. */

import { whole } from "../sqlite/rows.ts";
import type { Journal } from "../writes/journal/open-journal.ts";
import type { RunCounts } from "./run-record.ts";

/** Which rows are meant; null for all of them. */
export type RowOutcomes = readonly (keyof RunCounts)[] | null;

/** The lines of the next `limit` rows behind a line, ascending. Throws AppError. */
export function linesAfter(
  journal: Journal,
  run: string,
  outcomes: RowOutcomes,
  line: number,
  limit: number,
): number[] {
  return some(journal, run, outcomes, ["line > ? ORDER BY line", line], limit).slice(0, limit);
}

/** The lines of the last `limit` rows in front of a line, ascending. Throws AppError. */
export function linesBefore(
  journal: Journal,
  run: string,
  outcomes: RowOutcomes,
  line: number,
  limit: number,
): number[] {
  return some(journal, run, outcomes, ["line < ? ORDER BY line DESC", line], limit).slice(-limit);
}

/** The lines of `limit` rows from an index on, ascending. Throws AppError. */
export function linesAt(
  journal: Journal,
  run: string,
  outcomes: RowOutcomes,
  index: number,
  limit: number,
): number[] {
  const [only, another] = chosenBy(outcomes);
  // The index of outcomes is in the order of lines for each of them.
  if (only === undefined || another !== undefined)
    return linesAfter(journal, run, outcomes, -1, index + limit).slice(index);
  const sql = `SELECT line FROM run_row WHERE run = ? ${only.where} ORDER BY line LIMIT ? OFFSET ?`;
  return journal.read((rows) =>
    rows.all(sql, run, ...only.values, limit, index).map((row) => whole(row, "line")),
  );
}

/** How many rows there are from a line on and in front of another. Throws AppError. */
export function countBetween(
  journal: Journal,
  run: string,
  outcomes: RowOutcomes,
  from: number,
  to: number,
): number {
  return journal.read((rows) =>
    chosenBy(outcomes)
      .map(({ where, values }) => {
        const sql = `SELECT count(*) FROM run_row WHERE run = ? ${where} AND line >= ? AND line < ?`;
        return rows.number(sql, run, ...values, from, to);
      })
      .reduce((sum, n) => sum + n, 0),
  );
}

/** The index is ordered by outcome: `limit` lines of each outcome are enough, and are read fast. */
function some(
  journal: Journal,
  run: string,
  outcomes: RowOutcomes,
  [which, line]: readonly [which: string, line: number],
  limit: number,
): number[] {
  return journal.read((rows) =>
    chosenBy(outcomes)
      .flatMap(({ where, values }) => {
        const sql = `SELECT line FROM run_row WHERE run = ? ${where} AND ${which} LIMIT ?`;
        return rows.all(sql, run, ...values, line, limit);
      })
      .map((row) => whole(row, "line"))
      .sort((a, b) => a - b),
  );
}

/** One condition for each outcome; a single one for all of them together. */
function chosenBy(outcomes: RowOutcomes) {
  if (outcomes === null) return [{ where: "", values: [] }];
  return outcomes.map((outcome) => ({ where: "AND outcome = ?", values: [outcome] }));
}
