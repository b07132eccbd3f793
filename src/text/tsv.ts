import { safe } from "./sanitise.ts";

/**
 * One cell of tab-separated values, without tabs and line breaks: the format has no way to quote
 * them. Text that a spreadsheet would take for a formula gets an apostrophe, as in CSV.
 */
function tsvCell(value: string | number | null): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  return (/^[=+\-@\t\r]/.test(value) ? "'" : "") + safe(value);
}

/** A row of cells without its line break. */
export function tsvRow(cells: readonly (string | number | null)[]): string {
  return cells.map(tsvCell).join("\t");
}
