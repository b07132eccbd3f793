import { places } from "../../settings/places.ts";
import { type Cohorts, openCohorts } from "../../triage/cohorts/cohorts.ts";
import type { Cohort } from "../../triage/cohorts/description.ts";
import type { Invocation } from "../invocation.ts";
import type { Column } from "../rows/columns.ts";
import { supplierColumn } from "../rows/shared-columns.ts";

/** What is shown of a cohort. */
export const cohortColumns: readonly Column<ReturnType<typeof cohortRow>>[] = [
  { name: "name", title: "Name", type: "text", meaning: "The cohort." },
  { ...supplierColumn, meaning: "The supplier of its accounts." },
  {
    name: "accounts",
    title: "Accounts",
    type: "number",
    meaning: "Different account numbers.",
  },
  {
    name: "rows",
    title: "Rows",
    type: "number",
    meaning: "Rows of the list, repeated and malformed ones included.",
  },
  {
    name: "format",
    title: "Format",
    type: "text",
    meaning: "The format of the list: `text`, `json`, `jsonl` or `csv`.",
  },
  {
    name: "column",
    title: "Column",
    type: "text or null",
    meaning: "The column that was asked for; null where none was.",
  },
  {
    name: "sha256",
    title: "SHA-256",
    type: "text",
    meaning: "The SHA-256 of the list, in hexadecimal.",
  },
  { name: "created_at", title: "Created (UTC)", type: "time", meaning: "When it was added." },
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

/** The cohorts of this user. */
export function cohortsOf({ io }: Invocation): Cohorts {
  return openCohorts(places(io.env, io.home).stateDir);
}
