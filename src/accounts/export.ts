import { toJson } from "../json/print.ts";
import { csvRow } from "../text/csv.ts";
import { safe } from "../text/sanitise.ts";
import type { AccountListSnapshot } from "./account-list-snapshot.ts";
import type { AccountListItem } from "./ingest/batch.ts";
import type { ViewRows } from "./view.ts";

/** `json` is one array, `jsonl` an object a line; both lose nothing. */
export type ExportFormat = "csv" | "tsv" | "json" | "jsonl";

/** Characters gathered before they are handed on. */
const pieceLength = 1 << 16;

const fields = [
  "external_account_number",
  "service_account_number",
  "account_created_at",
] as const satisfies readonly (keyof AccountListItem)[];

/** Whether the rows of a list are known to be all of them. */
export function isWhole({ load, loadedAt, truncatedAt }: AccountListSnapshot): boolean {
  const allReadable = load.kind !== "loaded" || load.unreadableRows === 0;
  return loadedAt !== null && truncatedAt === null && allReadable;
}

/**
 * The rows of a view as text, exactly what is shown, in that order: in pieces of some 64 KiB, as fast
 * as they are asked for and no faster. The names are those of INTERFACE 2 with the brand word
 * `service`. In CSV and TSV, text that a spreadsheet would take for a formula is made harmless and
 * null is empty; in JSON, DEL and C1 are escaped. The array of rows that are not a `whole` list is not
 * closed, so that no JSON parser takes them for one.
 */
export function exportView(
  view: ViewRows,
  format: ExportFormat,
  whole = true,
): Generator<string, void, void> {
  return exportItems(itemsOfView(view), format, whole);
}

/** The same of any rows. */
export function* exportItems(
  items: Iterable<AccountListItem>,
  format: ExportFormat,
  whole = true,
): Generator<string, void, void> {
  let piece = opening(format);
  let first = true;
  for (const item of items) {
    piece += rowText(item, format, first);
    first = false;
    if (piece.length < pieceLength) continue;
    yield piece;
    piece = "";
  }
  if (format === "json") piece += `${first ? "" : "\n"}${whole ? "]\n" : ""}`;
  if (piece !== "") yield piece;
}

function* itemsOfView(view: ViewRows): Generator<AccountListItem, void, void> {
  for (let position = 0; position < view.length; position++) {
    const { external, service, created } = view.table.row(view.rowAt(position));
    yield {
      external_account_number: external,
      service_account_number: service,
      account_created_at: created,
    };
  }
}

function opening(format: ExportFormat): string {
  if (format === "csv") return `${csvRow(fields)}\r\n`;
  if (format === "tsv") return `${fields.join("\t")}\n`;
  return format === "json" ? "[" : "";
}

function rowText(item: AccountListItem, format: ExportFormat, first: boolean): string {
  switch (format) {
    case "csv":
      return `${csvRow(fields.map((field) => item[field]))}\r\n`;
    case "tsv":
      return `${fields.map((field) => tsvCell(item[field])).join("\t")}\n`;
    case "jsonl":
      return `${toJson(item)}\n`;
    case "json":
      return `${first ? "\n" : ",\n"}${toJson(item)}`;
  }
}

/** A cell without tabs and line breaks: TSV has no way to quote them. */
function tsvCell(value: string | null): string {
  if (value === null) return "";
  return (/^[=+\-@\t\r]/.test(value) ? "'" : "") + safe(value);
}
