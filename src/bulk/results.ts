import type { RunRow } from "./run-record.ts";

/** Returns a row of a run as its results have it, in the order of their columns. */
export function resultRow(row: RunRow) {
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

/** The columns of a results file, in their order. */
export const resultColumns = [
  "line",
  "import_supplier",
  "external_account_number",
  "external_identifier",
  "outcome",
  "status",
  "http_status",
  "code",
  "detail",
  "journal_id",
] as const satisfies readonly (keyof ResultRow)[];
