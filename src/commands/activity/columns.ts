import type { ActivityRow } from "../../writes/activity.ts";
import type { Column } from "../rows/columns.ts";
import {
  accountColumn,
  codeColumn,
  httpStatusColumn,
  journalIdColumn,
  outcomeColumn,
  supplierColumn,
  utcText,
} from "../rows/shared-columns.ts";

/** What `activity list --json` holds of an entry: of account and supply point, one is absent. */
export const activityColumns: readonly Column<ActivityRow>[] = [
  journalIdColumn,
  {
    name: "created_at",
    title: "Created at",
    type: utcText,
    meaning: "When the entry was recorded.",
  },
  { name: "profile", title: "Profile", type: "text", meaning: "The profile that wrote it." },
  { name: "operation", title: "Operation", type: "text", meaning: "For example `notes create`." },
  supplierColumn,
  { ...accountColumn, title: "Account", meaning: "Absent for a supply point." },
  {
    name: "external_identifier",
    title: "Supply point",
    type: "text",
    meaning: "Absent for an account.",
  },
  outcomeColumn,
  httpStatusColumn,
  codeColumn,
  {
    name: "attempts",
    title: "Attempts",
    type: "number",
    meaning: "How many times it was sent.",
  },
  {
    name: "run",
    title: "Run",
    type: "text or null",
    meaning: "The bulk run that it belongs to.",
  },
];
