/** The words of fields that several kinds of rows have: name, title, type and meaning. */

export const sharedFields = {
  supplier: [["import_supplier", "Supplier"], "text", "The supplier code."],
  account: ["external_account_number", "text", "The external account number."],
  serviceAccount: [
    "service_account_number",
    "text",
    "The number on the platform. Absent or empty until the account exists.",
  ],
  operation: ["operation", "text", "For example `notes create`."],
  outcome: [
    "outcome",
    "text",
    "`confirmed`, `rejected`, `retryable`, `unknown`, `unsent`, `sending` or `closed`.",
  ],
  itemStatus: ["status", "text or null", "The result that the service reported for the item."],
  httpStatus: [["http_status", "Status"], "number or null", "The status of the last response."],
  code: ["code", "text or null", "The service's error code."],
  entry: [["journal_id", "Entry"], "number", "The journal entry, for `supplyline activity show`."],
  environment: ["environment", "text", "`sandbox`, `test` or `production`."],
  baseUrl: [
    ["base_url", "Base URL"],
    "text or null",
    "The service's address; null for the embedded sandbox.",
  ],
  readOnly: [["read_only", "Read-only"], "true or false", "True if supplyline refuses writes."],
} as const;
