/** Writes an operator's list again with other account numbers or fewer rows, and changes nothing else. */

import { asIntended, markedAsIntended } from "../../forms/spreadsheet-numbers.ts";
import { placeAt, tokensOf } from "../../json/positions.ts";
import { scanJson } from "../../json/scan.ts";
import { elementRanges } from "../../rows/json-array.ts";
import { byteOrderMarkLength } from "../../rows/layout.ts";
import { RecordCutter } from "../../rows/record-cutter.ts";
import {
  cellPlace,
  cellsOf,
  type RawRecord,
  textOf,
  withoutApostrophe,
} from "../../rows/record-text.ts";
import type { SourceLayout } from "../source/source.ts";
import { firstRecord, separatorIn } from "../source/table-head.ts";

export type RowEdit =
  | { readonly kind: "replace"; readonly from: string; readonly to: string }
  | { readonly kind: "remove" };

interface EditedList {
  readonly bytes: Buffer;
  readonly replaced: number;
}

interface ListFormat {
  readonly layout: SourceLayout;
  readonly column: string;
}

/**
 * Changes the rows of a list by the line on which they begin, or by their position in a JSON array.
 * Everything else is unchanged byte for byte: other columns, quotes, separators, line ends and the
 * byte order mark. A row that has another number than its edit is unchanged.
 */
export function editedList(
  bytes: Uint8Array,
  format: ListFormat,
  edits: ReadonlyMap<number, RowEdit>,
): EditedList {
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return format.layout === "json"
    ? editedArray(source, format.column, edits)
    : editedRecords(source, format, edits);
}

/** Changes the elements of a JSON array. An element is removed with the comma before or after it. */
function editedArray(
  source: Buffer,
  column: string,
  edits: ReadonlyMap<number, RowEdit>,
): EditedList {
  const mark = byteOrderMarkLength(source);
  const array = source.subarray(mark);
  const parts: Buffer[] = [source.subarray(0, mark)];
  let replaced = 0;
  let position = 0;
  let end = 0;
  let isFirst = true;
  for (const { from, to } of elementRanges(array, "The list")) {
    position += 1;
    const edit = edits.get(position);
    const separator = array.subarray(end, from);
    // The first element that stays has the beginning of the array before it.
    if (position === 1) parts.push(separator);
    end = to;
    if (edit?.kind === "remove") continue;
    if (position > 1 && !isFirst) parts.push(separator);
    isFirst = false;
    const element = array.subarray(from, to);
    const next = edit === undefined ? null : withValue(element.toString(), column, edit);
    if (next !== null) replaced += 1;
    parts.push(next === null ? element : Buffer.from(next));
  }
  return { bytes: Buffer.concat([...parts, array.subarray(end)]), replaced };
}

function editedRecords(
  source: Buffer,
  { layout, column }: ListFormat,
  edits: ReadonlyMap<number, RowEdit>,
): EditedList {
  const mark = byteOrderMarkLength(source);
  const separator =
    layout === "csv" ? (separatorIn(firstRecord(source.subarray(mark)), column) ?? ",") : "";
  const cutter = new RecordCutter(layout === "csv" ? "csv" : "jsonl", separator || undefined);
  cutter.append(source);
  cutter.finish();
  const startOf = lineStarts(source);
  const parts: Buffer[] = [];
  let replaced = 0;
  let copied = 0;
  let index = -1;
  /** The start of a removed record, or null. It ends where the next record begins. */
  let removedFrom: number | null = null;
  for (const record of cutter.records()) {
    const text = textOf(record);
    if (layout === "csv" && index < 0 && text !== null)
      index = cellsOf(text, separator).findIndex((cell) => cell.trim() === column);
    const edit = edits.get(record.line);
    if (edit === undefined && removedFrom === null) continue;
    const start = Math.max(startOf(record.line), record.line === 1 ? mark : 0);
    if (removedFrom !== null) {
      parts.push(source.subarray(copied, removedFrom));
      copied = start;
      removedFrom = null;
    }
    if (edit === undefined) continue;
    if (edit.kind === "remove") {
      removedFrom = start;
      continue;
    }
    const next = replacedIn(record, text, { layout, column, separator, index }, edit);
    if (next === null) continue;
    parts.push(source.subarray(copied, start), Buffer.from(next));
    copied = start + record.content.length;
    replaced += 1;
  }
  parts.push(source.subarray(copied, removedFrom ?? source.length));
  return { bytes: Buffer.concat(parts), replaced };
}

const [LF, CR] = [0x0a, 0x0d];

/** Returns a function that returns the offset of a line, counted from 1. Lines are asked in order. */
function lineStarts(source: Buffer): (line: number) => number {
  let line = 1;
  let start = 0;
  return (wanted) => {
    for (; line < wanted; line++) {
      while (start < source.length && source[start] !== LF && source[start] !== CR) start++;
      start += source[start] === CR && source[start + 1] === LF ? 2 : 1;
    }
    return start;
  };
}

type Replacement = Extract<RowEdit, { readonly kind: "replace" }>;

function replacedIn(
  record: RawRecord,
  text: string | null,
  row: ListFormat & { readonly separator: string; readonly index: number },
  edit: Replacement,
): string | null {
  if (text === null || record.issue !== null) return null;
  switch (row.layout) {
    case "csv":
      return withCell(text, row, edit);
    case "text":
      return asIntended(text.trim()) === edit.from
        ? text.replace(text.trim(), () => markedAsIntended(edit.to))
        : null;
    case "json":
    case "jsonl":
      return withValue(text, row.column, edit);
  }
}

/**
 * Replaces a JSON string, or the value of the column in an object. Returns null if the text has
 * another value there.
 */
function withValue(text: string, column: string, edit: RowEdit): string | null {
  if (edit.kind === "remove") return null;
  const scanned = scanJson(text);
  const place = scanned.ok ? (placeAt(scanned.place, [column]) ?? scanned.place) : undefined;
  if (place === undefined) return null;
  const [value] = tokensOf(text.slice(place.start));
  if (value === undefined || !value.text.startsWith('"')) return null;
  if (asIntended(String(JSON.parse(value.text)).trim()) !== edit.from) return null;
  const end = place.start + value.text.length;
  return text.slice(0, place.start) + JSON.stringify(markedAsIntended(edit.to)) + text.slice(end);
}

/** Replaces a cell of a CSV record. Returns null if the cell has another number. */
function withCell(
  text: string,
  { separator, index }: { readonly separator: string; readonly index: number },
  { from, to }: Replacement,
): string | null {
  const cell = cellsOf(text, separator)[index]?.trim();
  if (cell === undefined || asIntended(withoutApostrophe(cell)) !== from) return null;
  const { start, end } = cellPlace(text, separator, index);
  return text.slice(0, start) + cellOf(to, separator) + text.slice(end);
}

function cellOf(number: string, separator: string): string {
  const text = /^[=+\-@]/.test(number) ? `'${number}` : markedAsIntended(number);
  const needsQuotes = text.includes(separator) || /["\r\n]/.test(text);
  return needsQuotes ? `"${text.replaceAll('"', '""')}"` : text;
}
