import type { RunRow } from "../bulk/run-record.ts";
import type { RowValues } from "../settings/custom/values.ts";
import { outcomeWords } from "../writes/words/outcomes.ts";
import { type Column, column, countColumn } from "./list-screen/column.ts";

/**
 * The columns of a run's rows; in files they have the names of the results of a run. `first` is the
 * title of the number before each: its line, or its entry.
 */
export function runRowColumns(ascii: boolean, first: "Line" | "Entry"): readonly Column<RunRow>[] {
  return [
    countColumn("line", first, 9, (row) => row.line),
    column("supplier", "Supplier", 0, (row) => row.importSupplier, { field: "import_supplier" }),
    column("ext", "Account or identifier", 16, targetOf, {
      ...{ short: "For", most: 40, field: "external_account_number" },
      value: (row) => row.externalAccountNumber,
      sort: targetOf,
    }),
    column("sp", "Supply point", 0, (row) => row.externalIdentifier ?? "", {
      ...{ field: "external_identifier", value: (row) => row.externalIdentifier },
    }),
    column(
      "outcome",
      "Outcome",
      11,
      ({ outcome }) => {
        const words = outcomeWords[outcome];
        return `${ascii ? words.asciiMark : words.mark} ${words.label}`;
      },
      { tone: ({ outcome }) => outcomeWords[outcome].tone, value: ({ outcome }) => outcome },
    ),
    column("status", "Status", 0, (row) => row.status ?? "", { value: (row) => row.status }),
    column("http", "HTTP", 4, (row) => String(row.httpStatus ?? "–"), {
      ...{ align: "right", field: "http_status", value: (row) => row.httpStatus },
    }),
    column("answer", "Status or code", 22, (row) => row.code ?? row.status ?? "", {
      ...{ gives: 1, picture: true },
    }),
    column("code", "Code", 0, (row) => row.code ?? "", { value: (row) => row.code }),
    column("detail", "Detail", 20, (row) => row.detail ?? "", {
      ...{ gives: 2, most: 200, value: (row) => row.detail },
    }),
    column("entry", "Entry", 0, (row) => String(row.journalId), {
      ...{ field: "journal_id", value: (row) => row.journalId },
    }),
  ];
}

/** The account's number or the supply point's identifier. */
function targetOf(row: RunRow): string {
  return row.externalAccountNumber ?? row.externalIdentifier ?? "";
}

/** What a row of a run is to the user's commands. */
export function rowValues(row: RunRow): RowValues {
  return {
    import_supplier: row.importSupplier,
    external_account_number: row.externalAccountNumber ?? undefined,
    external_identifier: row.externalIdentifier ?? undefined,
    journal_id: String(row.journalId),
    status: row.outcome,
  };
}
