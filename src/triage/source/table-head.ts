/** Finds the header of a list that is a table, and recognizes a table by its first lines. */

import { changedNumberProblem } from "../../forms/spreadsheet-numbers.ts";
import { cellsOf } from "../../rows/record-text.ts";

export const separators = [",", ";", "\t"] as const;

const [LF, CR, tab, quote] = [0x0a, 0x0d, 0x09, 0x22];

const maxLines = 10;
/** Maximum size of a header in bytes. A quote that is not closed ends nowhere. */
const maxHeaderBytes = 64 * 1024;

export function firstLine(bytes: Uint8Array): string {
  const start = firstByte(bytes, 0);
  return textIn(bytes, start, lineEnd(bytes, start));
}

/** Returns the first record that is not blank. Its quoted cells can have several lines. */
export function firstRecord(bytes: Uint8Array): string {
  const start = firstByte(bytes, 0);
  let isQuoted = false;
  const last = Math.min(bytes.length, start + maxHeaderBytes);
  for (let at = start; at < last; at++) {
    if (bytes[at] === quote) isQuoted = !isQuoted;
    else if (!isQuoted && (bytes[at] === LF || bytes[at] === CR)) return textIn(bytes, start, at);
  }
  return isQuoted || last < bytes.length ? firstLine(bytes) : textIn(bytes, start, last);
}

export function separatorIn(header: string, column: string): string | null {
  const names = (separator: string) =>
    separates(separator, header) &&
    cellsOf(header, separator).some((cell) => cell.trim() === column);
  return separators.find(names) ?? null;
}

/**
 * Returns the first of two consecutive lines with the same number of a separator, or null if the
 * first lines of a list are no table.
 */
export function tableLine(bytes: Uint8Array): string | null {
  let before: readonly number[] = [];
  let lineBefore = "";
  let at = 0;
  for (let lines = 0; lines < maxLines; lines++) {
    const start = firstByte(bytes, at);
    if (start === bytes.length) return null;
    at = lineEnd(bytes, start);
    const line = textIn(bytes, start, at);
    const unquoted = withoutQuoted(line);
    // A shortened number can have a decimal comma. Its line has a separate message.
    const isBlank = /^[,;\t ]*$/.test(unquoted) || changedNumberProblem(line.trim()) !== null;
    const counts = separators.map((separator) => unquoted.split(separator).length - 1);
    if (!isBlank && counts.some((count, index) => count > 0 && count === before[index]))
      return lineBefore;
    before = isBlank ? [] : counts;
    lineBefore = line;
  }
  return null;
}

export function recordAfter(bytes: Uint8Array, header: string): string {
  const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  return firstRecord(content.subarray(content.indexOf(header) + Buffer.byteLength(header)));
}

export function columnNames(cells: readonly string[]): string[] {
  return columnsWithSamples(cells, []).columns;
}

export function columnsWithSamples(
  header: readonly string[],
  row: readonly string[],
): { readonly columns: string[]; readonly samples: string[] } {
  const named = header
    .map((cell, at) => ({ name: inLine(cell), sample: inLine(row[at] ?? "") }))
    .filter(({ name }) => name !== "");
  return {
    columns: named.map(({ name }) => name),
    samples: named.map(({ sample }) => sample),
  };
}

function inLine(cell: string): string {
  return cell.trim().replace(/\s+/g, " ");
}

function separates(separator: string, header: string): boolean {
  const cells = withoutQuoted(header).split(separator);
  return cells.every((cell) => !cell.trim().startsWith('""') || cell.trim() === '""');
}

function withoutQuoted(text: string): string {
  return text.replace(/"(?:[^"]|"")*"/g, '""');
}

function firstByte(bytes: Uint8Array, from: number): number {
  let at = from;
  while (at < bytes.length && (bytes[at] as number) <= 0x20 && bytes[at] !== tab) at++;
  return at;
}

function lineEnd(bytes: Uint8Array, from: number): number {
  let at = from;
  while (at < bytes.length && bytes[at] !== LF && bytes[at] !== CR) at++;
  return at;
}

function textIn(bytes: Uint8Array, from: number, to: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString();
}
