/** The fields of a stored cohort. */
import { utcInstant } from "../../text/dates.ts";
import { fieldsOf } from "../../text/fields.ts";
import type { Cohort, ListedCohort } from "./cohorts.ts";

const field = fieldsOf<Cohort>();

export const cohortFields = {
  name: field("name", "text", "The cohort.", ({ name }) => name),
  supplier: field(
    ["import_supplier", "Supplier"],
    "text",
    "The supplier of the accounts.",
    ({ supplier }) => supplier,
  ),
  accounts: field(
    "accounts",
    "number",
    "The number of different account numbers.",
    ({ accounts }) => accounts,
  ),
  rows: field(
    "rows",
    "number",
    "The number of rows of the list, with repeated and malformed rows.",
    ({ rows }) => rows,
  ),
  format: field(
    "format",
    "text",
    "The format of the list: `text`, `json`, `jsonl` or `csv`.",
    ({ layout }) => layout,
  ),
  column: field(
    "column",
    "text or null",
    "The value of `--column`; null if it was not given.",
    ({ column }) => column,
  ),
  sha256: field(
    ["sha256", "SHA-256"],
    "text",
    "The SHA-256 of the list, in hexadecimal.",
    (of) => of.sha256,
  ),
  createdAt: field(
    ["created_at", "Created (UTC)"],
    "time",
    "The time at which the cohort was added.",
    ({ createdAt }) => utcInstant(createdAt),
  ),
};

const listed = fieldsOf<ListedCohort>();

export const teamCohortFields = {
  by: listed(
    "by",
    "text or null",
    "With a team: the person who shared it, as that machine says; null if it is not shared.",
    ({ person }) => person,
  ),
  machine: listed(
    "machine",
    "text or null",
    "With a team: the machine that shared it, as it says; null if it is not shared.",
    ({ machine }) => machine,
  ),
  isHere: listed(
    ["stored", "Stored here"],
    "true or false",
    "With a team: false if only the team has it. Its list is stored here when it is used.",
    ({ isHere }) => isHere,
  ),
};
