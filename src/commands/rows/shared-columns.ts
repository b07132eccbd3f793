/** Columns that several verbs print, with the same name and meaning everywhere. */

export const utcText = "text, UTC";

export const supplierColumn = {
  name: "import_supplier",
  title: "Supplier",
  type: "text",
  meaning: "The supplier code.",
} as const;

export const accountColumn = {
  name: "external_account_number",
  title: "External account number",
  type: "text",
  meaning: "The external account number.",
} as const;

export const serviceNumberColumn = {
  name: "service_account_number",
  title: "Service account number",
  type: "text",
  meaning: "The number on the platform. Absent or empty until the account exists.",
} as const;

export const statusColumn = {
  name: "status",
  title: "Status",
  type: "text",
  meaning: "The status, exactly as the service sent it.",
} as const;

export const outcomeColumn = {
  name: "outcome",
  title: "Outcome",
  type: "text",
  meaning: "`confirmed`, `rejected`, `retryable`, `unknown`, `unsent`, `sending` or `closed`.",
} as const;

export const httpStatusColumn = {
  name: "http_status",
  title: "Status",
  type: "number or null",
  meaning: "The status of the last response.",
} as const;

export const codeColumn = {
  name: "code",
  title: "Code",
  type: "text or null",
  meaning: "The service's error code.",
} as const;

export const journalIdColumn = {
  name: "journal_id",
  title: "Entry",
  type: "number",
  meaning: "The journal entry, for `supplyline activity show`.",
} as const;

export const supplyPointColumn = {
  name: "external_identifier",
  title: "External identifier",
  type: "text",
  meaning: "The supply point's identifier.",
} as const;

/** The import process of a supply point (INTERFACE 4.7), without its latest error. */
export const processColumns = [
  statusColumn,
  {
    name: "service_identifier",
    title: "Service identifier",
    type: "text or null",
    meaning: "The supply point on the platform.",
  },
  {
    name: "created_at",
    title: "Created at",
    type: "text or null",
    meaning: "When the import process was created.",
  },
  {
    name: "modified_at",
    title: "Modified at",
    type: "text or null",
    meaning: "When it last changed.",
  },
] as const;

/** Which service a profile works with, and whether it may write. */
export const serviceColumns = [
  {
    name: "environment",
    title: "Environment",
    type: "text",
    meaning: "`sandbox`, `test` or `production`.",
  },
  {
    name: "base_url",
    title: "Base URL",
    type: "text or null",
    meaning: "The service's address; null for the embedded sandbox.",
  },
  {
    name: "read_only",
    title: "Read-only",
    type: "true or false",
    meaning: "Whether writes are refused.",
  },
] as const;
