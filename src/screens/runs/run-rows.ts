import {
  countBetween,
  linesAfter,
  linesAt,
  linesBefore,
  type RowOutcomes,
} from "../../bulk/row-lines.ts";
import type { RunRow } from "../../bulk/run-record.ts";
import { rowOfLine } from "../../bulk/run-rows.ts";
import { pagedSource, type RowSource } from "../../components/list-screen/row-source.ts";
import type { Journal } from "../../writes/journal/open-journal.ts";

export const idOf = ({ line }: RunRow) => String(line);

/** Behind every line. */
const end = Number.MAX_SAFE_INTEGER;

/**
 * The rows of a run with these outcomes as they are now: a run can have a million of them, and they are
 * read as the cursor moves. Throws AppError.
 */
export function runRows(journal: Journal, run: string, outcomes: RowOutcomes): RowSource<RunRow> {
  let before: { readonly from: number; readonly lines: readonly number[] } | null = null;
  /** Beside the lines that were read last it is quick; elsewhere the rows in front are counted. */
  const linesFrom = (from: number, limit: number): readonly number[] => {
    const first = before?.lines[0];
    const last = before?.lines.at(-1);
    if (before !== null && last !== undefined && from === before.from + before.lines.length)
      return linesAfter(journal, run, outcomes, last, limit);
    if (before !== null && first !== undefined && from + limit === before.from)
      return linesBefore(journal, run, outcomes, first, limit);
    return linesAt(journal, run, outcomes, from, limit);
  };
  return pagedSource({
    length: countBetween(journal, run, outcomes, 0, end),
    read(from, limit) {
      const lines = linesFrom(from, limit);
      before = { from, lines };
      // Row by row: a filter on outcomes would scan from the current line.
      return journal.read((open) => lines.map((line) => rowOfLine(open, run, line)));
    },
    idAt: (index, row) => (row === null ? `at ${index}` : idOf(row)),
    indexOf(id) {
      const line = Number(id);
      const isListed = countBetween(journal, run, outcomes, line, line + 1) > 0;
      return isListed ? countBetween(journal, run, outcomes, 0, line) : -1;
    },
  });
}
