/**
 * Formats cells, rows and records as CSV and TSV, safe for spreadsheets and terminals, and records as
 * JSON and JSONL.
 */

import { toJson } from "../json/exact.ts";
import { type Fields, fieldCell, recordOf } from "../text/fields.ts";
import { safe, safeCell } from "../text/sanitize.ts";

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

/** The format of records. `json` is one array, and `jsonl` is one object per line. */
export type RecordFormat = "csv" | "tsv" | "json" | "jsonl";

/** The formats by the ending of the file name. */
export const recordFormats: Readonly<Record<string, RecordFormat>> = {
  ".csv": "csv",
  ".tsv": "tsv",
  ".json": "json",
  ".jsonl": "jsonl",
};

/** Returns the format for the ending of a file name. Default: `csv`. */
export function formatOf(ending: string): RecordFormat {
  return recordFormats[ending] ?? "csv";
}

/** Minimum number of characters of a piece, except the last one. */
const minPieceLength = 1 << 16;

/**
 * Yields rows as text in pieces of about 64 KiB, each on request, in the bytes that a command prints.
 * In CSV and TSV, null is empty, and an apostrophe precedes text that a spreadsheet would read as a
 * formula. In JSON, DEL and C1 are escaped. If `isComplete` is false, the JSON array is not closed,
 * so that no parser accepts the incomplete output. Default: true.
 */
export function* recordsText<Row>(
  fields: Fields<Row>,
  rows: Iterable<Row>,
  format: RecordFormat,
  isComplete = true,
): Generator<string, void, void> {
  let piece = opening(format, fields);
  let isFirst = true;
  for (const row of rows) {
    piece += recordText(row, format, fields, isFirst);
    isFirst = false;
    if (piece.length < minPieceLength) continue;
    yield piece;
    piece = "";
  }
  if (format === "json") piece += `${isFirst ? "" : "\n"}${isComplete ? "]\n" : ""}`;
  if (piece !== "") yield piece;
}

/** Returns the text before the first record. */
function opening(format: RecordFormat, fields: Fields<never>): string {
  const names = fields.map(({ name }) => name);
  if (format === "csv") return `${csvRow(names)}\n`;
  if (format === "tsv") return `${tsvRow(names)}\n`;
  return format === "json" ? "[" : "";
}

function recordText<Row>(
  row: Row,
  format: RecordFormat,
  fields: Fields<Row>,
  isFirst: boolean,
): string {
  const cells = () => fields.map((field) => fieldCell(field, row));
  switch (format) {
    case "csv":
      return `${csvRow(cells())}\n`;
    case "tsv":
      return `${tsvRow(cells())}\n`;
    case "jsonl":
      return `${toJson(recordOf(fields, row))}\n`;
    case "json":
      return `${isFirst ? "\n" : ",\n"}${toJson(recordOf(fields, row))}`;
  }
}
