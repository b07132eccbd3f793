/** Formats cells and rows of CSV and TSV so that they are safe for spreadsheets and terminals. */
import { safe, safeCell } from "./sanitize.ts";

/** The pattern of cells that need neither quotes nor an apostrophe. */
const PLAIN_CELL = /^(?![=+\-@])[\x20\x21\x23-\x2b\x2d-\x7e]*$/;

/**
 * Formats a CSV cell (RFC 4180), quoted if needed. Null is an empty cell. An apostrophe precedes
 * text that a spreadsheet would read as a formula (it begins with `= + - @`, a tab or a carriage
 * return). Numbers have no apostrophe. Control and invisible characters become visible signs,
 * because CSV can be printed to a terminal. Only JSON is lossless.
 */
export function csvCell(value: string | number | null): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  if (PLAIN_CELL.test(value)) return value;
  const text = (/^[=+\-@\t\r]/.test(value) ? "'" : "") + safeCell(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Formats a row of CSV without its line break. */
export function csvRow(cells: readonly (string | number | null)[]): string {
  return cells.map(csvCell).join(",");
}

/**
 * Formats a TSV cell without tabs and line breaks, because the format cannot quote them. An
 * apostrophe precedes text that a spreadsheet would read as a formula, as in CSV.
 */
function tsvCell(value: string | number | null): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  return (/^[=+\-@\t\r]/.test(value) ? "'" : "") + safe(value);
}

/** Formats a row of TSV without its line break. */
export function tsvRow(cells: readonly (string | number | null)[]): string {
  return cells.map(tsvCell).join("\t");
}
