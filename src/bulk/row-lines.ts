/** Finding one's way in the rows of a run without reading all of them. */

import { type Row, whole } from "../sqlite/rows.ts";
import type { Journal } from "../writes/journal/open-journal.ts";
import type { RunCounts } from "./run-record.ts";

/** Which rows are meant; null for all of them. */
export type RowOutcomes = readonly (keyof RunCounts)[] | null;

/** The lines of the next `limit` rows behind a line, ascending. Throws JournalError. */
export function linesAfter(
  journal: Journal,
  run: string,
  outcomes: RowOutcomes,
  line: number,
  limit: number,
): number[] {
  return some(journal, run, outcomes, ["line > ?", "line"], line, limit)
    .sort((a, b) => a - b)
    .slice(0, limit);
}

/** The lines of the last `limit` rows in front of a line, ascending. Throws JournalError. */
export function linesBefore(
  journal: Journal,
  run: string,
  outcomes: RowOutcomes,
  line: number,
  limit: number,
): number[] {
  return some(journal, run, outcomes, ["line < ?", "line DESC"], line, limit)
    .sort((a, b) => a - b)
    .slice(-limit);
}

/** How many rows there are from a line on and in front of another. Throws JournalError. */
export function countBetween(
  journal: Journal,
  run: string,
  outcomes: RowOutcomes,
  from: number,
  to: number,
): number {
  const counted = (where: string, ...values: string[]) =>
    journal.read((rows) =>
      rows.get(
        `SELECT count(*) AS n FROM run_row WHERE run = ? ${where} AND line >= ? AND line < ?`,
        run,
        ...values,
        from,
        to,
      ),
    );
  const found =
    outcomes === null
      ? [counted("")]
      : outcomes.map((outcome) => counted("AND outcome = ?", outcome));
  return found.reduce((sum, row) => sum + (row === undefined ? 0 : whole(row, "n")), 0);
}

/** The index is ordered by outcome: `limit` lines of each outcome are enough, and are read fast. */
function some(
  journal: Journal,
  run: string,
  outcomes: RowOutcomes,
  [where, order]: readonly [where: string, order: string],
  line: number,
  limit: number,
): number[] {
  return journal.read((rows) => {
    const found: Row[] =
      outcomes === null
        ? rows.all(
            `SELECT line FROM run_row WHERE run = ? AND ${where} ORDER BY ${order} LIMIT ?`,
            run,
            line,
            limit,
          )
        : outcomes.flatMap((outcome) =>
            rows.all(
              `SELECT line FROM run_row WHERE run = ? AND outcome = ? AND ${where} ORDER BY ${order} LIMIT ?`,
              run,
              outcome,
              line,
              limit,
            ),
          );
    return found.map((row) => whole(row, "line"));
  });
}
