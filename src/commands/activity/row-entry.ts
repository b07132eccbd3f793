import type { ActivityRow } from "../../writes/activity.ts";
import type { Entry, Field } from "../present.ts";

/** What `activity list --json` holds of a write, beside whom it was about. */
export const rowFields = [
  { name: "journal_id", title: "Entry" },
  { name: "created_at", title: "Created at" },
  { name: "profile", title: "Profile" },
  { name: "operation", title: "Operation" },
  { name: "import_supplier", title: "Supplier" },
  { name: "external_account_number", title: "Account" },
  { name: "external_identifier", title: "Supply point" },
  { name: "outcome", title: "Outcome" },
  { name: "http_status", title: "Status" },
  { name: "code", title: "Code" },
  { name: "attempts", title: "Attempts" },
  { name: "run", title: "Run" },
] as const satisfies readonly Field<keyof ActivityRow>[];

type RowName = (typeof rowFields)[number]["name"];

/** A row with every field; of account and supply point one is null. */
export function rowEntry(row: ActivityRow): Entry<RowName> {
  return { external_account_number: null, external_identifier: null, ...row };
}
