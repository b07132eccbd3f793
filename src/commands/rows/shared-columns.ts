/** Columns that several commands print, with the same name and meaning everywhere. */

import { column } from "./columns.ts";

export const utcText = "text, UTC";

export const supplierColumn = column("import_supplier", "Supplier", "text", "The supplier code.");

export const accountColumn = column(
  "external_account_number",
  "External account number",
  "text",
  "The external account number.",
);

export const serviceNumberColumn = column(
  "service_account_number",
  "Service account number",
  "text",
  "The number on the platform. Absent or empty until the account exists.",
);

export const statusColumn = column(
  "status",
  "Status",
  "text",
  "The status, exactly as the service sent it.",
);

export const outcomeColumn = column(
  "outcome",
  "Outcome",
  "text",
  "`confirmed`, `rejected`, `retryable`, `unknown`, `unsent`, `sending` or `closed`.",
);

export const httpStatusColumn = column(
  "http_status",
  "Status",
  "number or null",
  "The status of the last response.",
);

export const codeColumn = column("code", "Code", "text or null", "The service's error code.");

export const journalIdColumn = column(
  "journal_id",
  "Entry",
  "number",
  "The journal entry, for `supplyline activity show`.",
);

export const supplyPointColumn = column(
  "external_identifier",
  "External identifier",
  "text",
  "The supply point's identifier.",
);

/**
 * The columns for the import process of a supply point (INTERFACE 4.7), without its latest error.
 */
export const processColumns = [
  statusColumn,
  column(
    "service_identifier",
    "Service identifier",
    "text or null",
    "The supply point on the platform.",
  ),
  column("created_at", "Created at", "text or null", "When the import process was created."),
  column("modified_at", "Modified at", "text or null", "When it last changed."),
] as const;

/**
 * The columns for the service of a profile: its environment, its address and its right to write.
 */
export const serviceColumns = [
  column("environment", "Environment", "text", "`sandbox`, `test` or `production`."),
  column(
    "base_url",
    "Base URL",
    "text or null",
    "The service's address; null for the embedded sandbox.",
  ),
  column("read_only", "Read-only", "true or false", "Whether writes are refused."),
] as const;
