/** Decodes the bytes of an input record, and splits a CSV record into cells. */
import { isAscii, isUtf8 } from "node:buffer";
import type { RawRecord } from "./record-cutter.ts";

/** Returns a record's text, or null if it is not UTF-8. */
export function textOf({ content }: RawRecord): string | null {
  if (isAscii(content)) return content.toString("latin1");
  return isUtf8(content) ? content.toString("utf8") : null;
}

/** Returns the number of the first line in a record that is not UTF-8. */
export function lineNotUtf8({ line, content }: RawRecord): number {
  let at = line;
  let start = 0;
  for (let end = 0; end < content.length; end++) {
    const byte = content[end];
    if (byte !== 0x0a && (byte !== 0x0d || content[end + 1] === 0x0a)) continue;
    if (!isUtf8(content.subarray(start, end))) return at;
    start = end + 1;
    at += 1;
  }
  return at;
}

/**
 * Returns the cells of a CSV record (RFC 4180), without the quotes around them. The record must not
 * have an issue.
 */
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

function closingQuote(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 2)) {
    if (text[at + 1] !== '"') return at;
  }
  return text.length;
}
