/** Opens the stored cohorts, and defines their rows and columns for the `cohorts` commands. */

import { type Cohort, type Cohorts, openCohorts } from "../../triage/cohorts/cohorts.ts";
import type { Invocation } from "../invocation.ts";
import { type Column, column, supplierColumn } from "../rows/columns.ts";

export const cohortColumns: readonly Column<ReturnType<typeof cohortRow>>[] = [
  column("name", "Name", "text", "The cohort."),
  { ...supplierColumn, meaning: "The supplier of its accounts." },
  column("accounts", "Accounts", "number", "Different account numbers."),
  column("rows", "Rows", "number", "Rows of the list, repeated and malformed ones included."),
  column("format", "Format", "text", "The format of the list: `text`, `json`, `jsonl` or `csv`."),
  column("column", "Column", "text or null", "The column that was asked for; null where none was."),
  column("sha256", "SHA-256", "text", "The SHA-256 of the list, in hexadecimal."),
  column("created_at", "Created (UTC)", "time", "When it was added."),
];

export function cohortRow(cohort: Cohort) {
  return {
    name: cohort.name,
    import_supplier: cohort.supplier,
    accounts: cohort.accounts,
    rows: cohort.rows,
    format: cohort.layout,
    column: cohort.column,
    sha256: cohort.sha256,
    created_at: new Date(cohort.createdAt).toISOString(),
  };
}

export function cohortsOf({ folders }: Invocation): Cohorts {
  return openCohorts(folders.stateDir);
}
