/** The columns of journal entries, for `activity list`, `activity show` and `activity export`. */

import type { ActivityRow } from "../../writes/activity.ts";
import { type Column, column } from "../rows/columns.ts";
import {
  accountColumn,
  codeColumn,
  httpStatusColumn,
  journalIdColumn,
  outcomeColumn,
  supplierColumn,
  utcText,
} from "../rows/shared-columns.ts";

/** The columns of an entry. Each row has an account or a supply point, never both. */
export const activityColumns: readonly Column<ActivityRow>[] = [
  journalIdColumn,
  column("created_at", "Created at", utcText, "When the entry was recorded."),
  column("profile", "Profile", "text", "The profile that wrote it."),
  column("operation", "Operation", "text", "For example `notes create`."),
  supplierColumn,
  { ...accountColumn, title: "Account", meaning: "Absent for a supply point." },
  column("external_identifier", "Supply point", "text", "Absent for an account."),
  outcomeColumn,
  httpStatusColumn,
  codeColumn,
  column("attempts", "Attempts", "number", "How many times it was sent."),
  column("run", "Run", "text or null", "The bulk run that it belongs to."),
];
