/**
 * Decodes the text of an input record and splits a CSV record into cells. Detects cells that look
 * like formulas, and shortens texts for messages.
 */
import { type Buffer, isAscii, isUtf8 } from "node:buffer";
import { plural } from "../text/numbers.ts";

/** The byte of a quote. */
export const QUOTE = 0x22;

/** An issue of an unreadable record. `cell` is the index of the CSV cell, or null for all of it. */
interface RecordIssue {
  readonly message: string;
  readonly cell: number | null;
}

/** One record of an input. Its bytes are valid until the next call of `take`. */
export interface RawRecord {
  /** The line on which the record begins, from 1. CRLF, LF and CR each end one, also in quotes. */
  readonly line: number;
  /** The bytes, including byte order mark and line end. */
  readonly bytes: Buffer;
  /** The bytes, excluding byte order mark and line end. */
  readonly content: Buffer;
  readonly issue: RecordIssue | null;
  readonly cellCount: number;
  /** The end of each cell but the last one in `content`. Further elements are not of this record. */
  readonly cellEnds: readonly number[];
}

/** Returns a record's text, or null if it is not UTF-8. */
export function textOf({ content }: RawRecord): string | null {
  if (isAscii(content)) return content.toString("latin1");
  return isUtf8(content) ? content.toString("utf8") : null;
}

/** Returns the number of the first line in a record that is not UTF-8. */
export function lineNotUtf8({ line, content }: RawRecord): number {
  let number = line;
  let start = 0;
  for (let end = 0; end < content.length; end++) {
    const byte = content[end];
    if (byte !== 0x0a && (byte !== 0x0d || content[end + 1] === 0x0a)) continue;
    if (!isUtf8(content.subarray(start, end))) return number;
    start = end + 1;
    number += 1;
  }
  return number;
}

/** Returns the cells of a CSV record (RFC 4180) without their quotes. It must not have an issue. */
export function cellsOf(text: string, separator: string): string[] {
  if (!text.includes('"')) return text.split(separator);
  const cells: string[] = [];
  let at = 0;
  for (;;) {
    let cell: string;
    if (text[at] === '"') {
      const close = closingQuote(text, at + 1);
      cell = text.slice(at + 1, close);
      if (cell.includes('"')) cell = cell.replaceAll('""', '"');
      at = close + 1;
    } else {
      const next = text.indexOf(separator, at);
      const end = next < 0 ? text.length : next;
      cell = text.slice(at, end);
      at = end;
    }
    cells.push(cell);
    if (at >= text.length) return cells;
    at += separator.length;
  }
}

/**
 * Returns the place of a cell in the content of a CSV record without an issue, without the quotes
 * around it. Quotes in it are doubled.
 */
export function cellBytes(
  { content, cellCount, cellEnds }: RawRecord,
  index: number,
): { readonly from: number; readonly to: number } {
  const from = index === 0 ? 0 : (cellEnds[index - 1] as number) + 1;
  const to = index === cellCount - 1 ? content.length : (cellEnds[index] as number);
  return content[from] === QUOTE && from < to ? { from: from + 1, to: to - 1 } : { from, to };
}

/** Returns the text of a cell, or null if it is not UTF-8. */
export function cellText(record: RawRecord, index: number): string | null {
  const { from, to } = cellBytes(record, index);
  const bytes = record.content.subarray(from, to);
  return isUtf8(bytes) ? bytes.toString().replaceAll('""', '"') : null;
}

/** Returns the place of a cell in a CSV record, with the quotes around it. */
export function cellPlace(
  text: string,
  separator: string,
  index: number,
): { readonly start: number; readonly end: number } {
  // Each earlier cell ends at its separator, after its quotes.
  let start = 0;
  for (let at = 0; at < index; at++) start = endOfCell(text, start, separator) + 1;
  return { start, end: endOfCell(text, start, separator) };
}

/** Returns the index of the separator after a cell, or the length of the record. */
function endOfCell(text: string, start: number, separator: string): number {
  const from = text[start] === '"' ? closingQuote(text, start + 1) + 1 : start;
  const end = text.indexOf(separator, from);
  return end < 0 ? text.length : end;
}

function closingQuote(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 2)) {
    if (text[at + 1] !== '"') return at;
  }
  return text.length;
}

/** Maximum number of characters of a value in a message. */
const maxCharacters = 60;

/** Shortens a text for a message. The result is still untrusted. */
export function clipped(text: string): string {
  // A character has at most two units, so this slice has all characters that can be shown.
  const characters = [...text.slice(0, 2 * maxCharacters + 2)];
  return characters.length > maxCharacters
    ? `${characters.slice(0, maxCharacters - 1).join("")}…`
    : characters.join("");
}

/** Quotes and shortens a value of an input for a message. */
export function quoted(text: string): string {
  return `"${clipped(text)}"`;
}

/** The apostrophe that exports add before a text that a spreadsheet would treat as a formula. */
const exportedApostrophe = /^'(?=[=+\-@\t\r])/;

/** A number or a phone number with a sign, which is not a formula. */
const numeric = /^[+-][\d\s()./-]+$/;

/** A formula that is only one text (group 1) or one number (group 2). */
const constant = /^=\s*(?:"((?:[^"]|"")*)"|([+-]?\d+(?:\.\d+)?))$/;

/** Returns true for a cell that a spreadsheet would treat as a formula. */
export function isFormula(cell: string): boolean {
  return cell.startsWith("=") || (/^[+\-@]\S/.test(cell) && !numeric.test(cell));
}

/** Returns a cell without the apostrophe of an export. */
export function withoutApostrophe(cell: string): string {
  return cell.replace(exportedApostrophe, "");
}

/** Returns the message for a cell like a formula, with the value to write, or null for another. */
export function formulaProblem(cell: string): string | null {
  if (!isFormula(cell)) return null;
  const match = constant.exec(cell);
  const value = match?.[1]?.replaceAll('""', '"') ?? match?.[2];
  const remedy =
    value === undefined
      ? `Write its value, or ${quoted(`'${cell}`)} for this very text.`
      : `Write ${value === "" ? "nothing" : quoted(value)} there.`;
  return `This looks like a spreadsheet formula. ${remedy}`;
}

/** Describes a row with another number of cells than the header. */
export function cellsProblem(cells: number, width: number): string {
  const remedy =
    cells < width
      ? "Add the missing cells, even if they are empty."
      : "Put a cell with a separator in it in quotes.";
  return `This row has ${plural(cells, "cell")}, the header ${width}. ${remedy}`;
}
