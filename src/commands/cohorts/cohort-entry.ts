/** Opens the stored cohorts, and defines their rows and columns for the `cohorts` commands. */

import { type Cohort, type Cohorts, openCohorts } from "../../triage/cohorts/cohorts.ts";
import type { Invocation } from "../invocation.ts";
import { type Column, column, supplierColumn } from "../rows/columns.ts";

/** The columns of a cohort. */
export const cohortColumns: readonly Column<ReturnType<typeof cohortRow>>[] = [
  column("name", "Name", "text", "The cohort."),
  { ...supplierColumn, meaning: "The supplier of the accounts." },
  column("accounts", "Accounts", "number", "The number of different account numbers."),
  column(
    "rows",
    "Rows",
    "number",
    "The number of rows of the list, with repeated and malformed rows.",
  ),
  column("format", "Format", "text", "The format of the list: `text`, `json`, `jsonl` or `csv`."),
  column("column", "Column", "text or null", "The value of `--column`; null if it was not given."),
  column("sha256", "SHA-256", "text", "The SHA-256 of the list, in hexadecimal."),
  column("created_at", "Created (UTC)", "time", "The time at which the cohort was added."),
];

/** Returns the row of a cohort. */
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

/** Opens the cohorts in the state folder. */
export function cohortsOf({ folders }: Invocation): Cohorts {
  return openCohorts(folders.stateDir);
}
