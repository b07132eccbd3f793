/** Formats compared rows as text and CSV. */
import { csvRow } from "../../text/csv.ts";
import { utcInstant } from "../../text/dates.ts";
import { quoted, serviceWords } from "../../text/service-words.ts";
import { issueWords } from "../source/source.ts";
import type { ReconciledRow, RowError } from "./reconciled.ts";

/** The columns of a row in files, in their order. */
const rowFields = [
  "line",
  "external_account_number",
  "class",
  "service_account_number",
  "account_created_at",
  "pending_since",
  "status",
  "first_line",
  "suggestion",
  "error",
  "elsewhere",
] as const;

export type RowField = (typeof rowFields)[number];

/** Minimum number of characters in a piece of output. */
const pieceLength = 1 << 16;

/** Yields rows as CSV with a header, in pieces of about 64 KiB. */
export function* rowsAsCsv(rows: Iterable<ReconciledRow>): Generator<string, void, void> {
  let piece = `${csvRow(rowFields)}\n`;
  for (const row of rows) {
    piece += `${csvRow(rowFields.map((name) => rowCell(row, name)))}\n`;
    if (piece.length < pieceLength) continue;
    yield piece;
    piece = "";
  }
  if (piece !== "") yield piece;
}

/** Returns one field of a row as text, or null if it does not apply. */
export function rowCell(row: ReconciledRow, name: RowField): string | number | null {
  switch (name) {
    case "line":
      return row.line;
    case "external_account_number":
      return row.external;
    case "class":
      return row.class;
    case "service_account_number":
      return row.service;
    case "account_created_at":
      return row.created;
    case "pending_since":
      return row.pendingSince === null ? null : utcInstant(row.pendingSince);
    case "status":
      return row.status;
    case "first_line":
      return row.firstLine;
    case "suggestion":
      return row.suggestion;
    case "elsewhere":
      return row.elsewhere;
    case "error":
      return row.error === null ? null : rowErrorWords(row.error);
  }
}

/**
 * Describes why a row is malformed or why its lookup failed. A failed lookup has its kind, status
 * and code, and the service's message.
 */
export function rowErrorWords(error: RowError): string {
  if (error.kind === "malformed") return issueWords(error.issue);
  const { kind, facts, message } = error.error;
  const { httpStatus, code } = facts;
  const parts = [kind, ...(httpStatus === undefined ? [] : [httpStatus]), ...(code ? [code] : [])];
  return `${parts.join(" ")}: ${serviceWords(error.error, (attr) => attr) ?? quoted(message)}`;
}
