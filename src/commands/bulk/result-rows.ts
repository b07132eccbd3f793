/** The rows of a bulk run's results, and their columns. */

import { type RowsWanted, rowPages } from "../../bulk/rows.ts";
import type { RunRow } from "../../bulk/run-record.ts";
import type { RunReading } from "../../bulk/runs.ts";
import { type Column, column } from "../rows/columns.ts";
import {
  accountColumn,
  codeColumn,
  httpStatusColumn,
  journalIdColumn,
  outcomeColumn,
  statusColumn,
  supplierColumn,
  supplyPointColumn,
} from "../rows/shared-columns.ts";

/** Returns a row of the results, with its fields in the order of the columns. */
function resultRow(row: RunRow) {
  return {
    line: row.line,
    import_supplier: row.importSupplier,
    external_account_number: row.externalAccountNumber,
    external_identifier: row.externalIdentifier,
    outcome: row.outcome,
    status: row.status,
    http_status: row.httpStatus,
    code: row.code,
    detail: row.detail,
    journal_id: row.journalId,
  };
}

export type ResultRow = ReturnType<typeof resultRow>;

const lineColumn = column("line", "Line", "number", "Where the row begins in the input.");
const detailColumn = column("detail", "Detail", "text or null", "What the service reported.");
const entryColumn = { ...journalIdColumn, meaning: "The journal entry." };

/** The columns of a results file. */
export const resultColumns: readonly Column<ResultRow>[] = [
  lineColumn,
  supplierColumn,
  { ...accountColumn, type: "text or null" },
  { ...supplyPointColumn, type: "text or null" },
  outcomeColumn,
  {
    ...statusColumn,
    type: "text or null",
    meaning: "The result that the service reported for the item.",
  },
  httpStatusColumn,
  codeColumn,
  detailColumn,
  entryColumn,
];

/** The columns for people. Values that belong together share a column. */
export const briefColumns: readonly Column<ResultRow>[] = [
  lineColumn,
  {
    ...accountColumn,
    title: "Account or supply point",
    shown: (row) =>
      `${row.import_supplier} ${row.external_account_number ?? row.external_identifier ?? ""}`,
  },
  outcomeColumn,
  {
    ...codeColumn,
    shown: ({ http_status, code, status }) =>
      [http_status ?? "", code ?? status ?? ""].join(" ").trim(),
  },
  { ...entryColumn, title: "Journal" },
  detailColumn,
];

/** Yields the rows of a run's results in pages. */
export async function* resultPages(
  { journal }: RunReading,
  run: string,
  wanted: RowsWanted,
): AsyncGenerator<readonly ResultRow[], void, void> {
  for await (const rows of rowPages(journal, run, wanted)) yield rows.map(resultRow);
}
