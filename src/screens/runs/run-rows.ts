/** Reads the rows of a bulk run from the journal, in pages. */
import { countRows, lineAt, type RowStates, readRunRows } from "../../bulk/rows.ts";
import type { RunRow } from "../../bulk/run-record.ts";
import { pagedSource, type RowSource } from "../../components/list-screen/row-source.ts";
import type { Journal } from "../../writes/journal/open-journal.ts";

export const idOf = ({ line }: RunRow) => String(line);

/**
 * Returns the current rows of a run in these states. They are read as the cursor moves, because a
 * run can have a million rows. Throws a journal error.
 */
export function runRows(journal: Journal, run: string, states: RowStates): RowSource<RunRow> {
  let before: { readonly from: number; readonly rows: readonly RunRow[] } | null = null;
  /**
   * Reads rows from a position. This is fast next to the previous page. Elsewhere the rows before
   * the position are counted.
   */
  const rowsFrom = (from: number, limit: number): readonly RunRow[] => {
    const first = before?.rows[0];
    const last = before?.rows.at(-1);
    const read = (side: { readonly afterLine: number } | { readonly beforeLine: number }) =>
      readRunRows(journal, run, { states, limit, ...side });
    if (before !== null && last !== undefined && from === before.from + before.rows.length)
      return read({ afterLine: last.line });
    if (before !== null && first !== undefined && from + limit === before.from)
      return read({ beforeLine: first.line });
    const line = lineAt(journal, run, states, from);
    return line === null ? [] : read({ afterLine: line - 1 });
  };
  return pagedSource({
    length: countRows(journal, run, states),
    read(from, limit) {
      const rows = rowsFrom(from, limit);
      before = { from, rows };
      return rows;
    },
    idAt: (index, row) => (row === null ? `at ${index}` : idOf(row)),
    indexOf(id) {
      const line = Number(id);
      const isListed = countRows(journal, run, states, { from: line, before: line + 1 }) > 0;
      return isListed ? countRows(journal, run, states, { before: line }) : -1;
    },
  });
}
