/** Replaces wrong account numbers in an operator's list, and changes nothing else in it. */
import { RecordCutter } from "../../bulk/input/record-cutter.ts";
import { cellsOf, textOf } from "../../bulk/input/record-text.ts";
import { csvCell } from "../../text/csv.ts";
import type { SourceLayout } from "../source/source.ts";

/** A number of a list and its replacement. */
interface Correction {
  readonly from: string;
  readonly to: string;
}

/** The list with replaced numbers, and the number of replacements. */
interface CorrectedList {
  readonly bytes: Buffer;
  readonly replaced: number;
}

/**
 * Replaces the numbers of a list for which `corrections` has an entry, by the line on which their
 * row begins. Everything else is unchanged byte for byte: other columns, quotes, line ends. A JSON
 * array is not split into rows and is returned unchanged.
 */
export function correctedList(
  bytes: Uint8Array,
  { layout, column }: { readonly layout: SourceLayout; readonly column: string },
  corrections: ReadonlyMap<number, Correction>,
): CorrectedList {
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const cutter = new RecordCutter(layout === "csv" ? "csv" : "jsonl");
  cutter.append(bytes);
  cutter.finish();
  const parts: Buffer[] = [];
  let replaced = 0;
  let copied = 0;
  let recordStart = 0;
  let index = -1;
  for (let record = cutter.take(); record !== null; record = cutter.take()) {
    const { line, content } = record;
    // Blank lines are not records, so the start of a record is searched after the previous record.
    recordStart = source.indexOf(content, recordStart);
    const text = textOf(record);
    const separator = cutter.layout?.kind === "csv" ? cutter.layout.separator : 0x2c;
    const cells = { separator: String.fromCharCode(separator), index };
    if (layout === "csv" && index < 0 && text !== null)
      index = cellsOf(text, cells.separator).findLastIndex((cell) => cell.trim() === column);
    const correction = corrections.get(line);
    if (correction !== undefined && text !== null) {
      const next =
        layout === "csv"
          ? withCell(text, cells, correction)
          : layout === "jsonl"
            ? withValue(text, column, correction)
            : withLine(text, correction);
      if (next !== null) {
        parts.push(source.subarray(copied, recordStart), Buffer.from(next));
        copied = recordStart + content.length;
        replaced += 1;
      }
    }
    recordStart += content.length;
  }
  return { bytes: Buffer.concat([...parts, source.subarray(copied)]), replaced };
}

/** Replaces a line. Returns null if the line has another number. */
function withLine(text: string, { from, to }: Correction): string | null {
  return text.trim() === from ? text.replace(from, () => to) : null;
}

/**
 * Replaces a JSON string or the value of the column's key. Returns null if the text does not have the
 * number in this form.
 */
function withValue(text: string, column: string, { from, to }: Correction): string | null {
  const quotedNumber = JSON.stringify(from);
  const next = JSON.stringify(to);
  if (text.trim() === quotedNumber) return text.replace(quotedNumber, () => next);
  const key = JSON.stringify(column);
  const found = new RegExp(`${RegExp.escape(key)}\\s*:\\s*${RegExp.escape(quotedNumber)}`).exec(
    text,
  );
  if (found === null) return null;
  const start = found.index + found[0].length - quotedNumber.length;
  return text.slice(0, start) + next + text.slice(start + quotedNumber.length);
}

/** Replaces a cell of a CSV record. Returns null if the cell has another number. */
function withCell(
  text: string,
  { separator, index }: { readonly separator: string; readonly index: number },
  { from, to }: Correction,
): string | null {
  const cells = cellsOf(text, separator);
  if (cells[index]?.trim().replace(/^'(?=[=+\-@])/, "") !== from) return null;
  // Each earlier cell ends at its separator, after its quotes.
  let start = 0;
  for (let cell = 0; cell < index; cell++) start = endOfCell(text, start, separator) + 1;
  const next = csvCell(to);
  const needsQuotes = separator !== "," && !next.startsWith('"') && next.includes(separator);
  return (
    text.slice(0, start) +
    (needsQuotes ? `"${next}"` : next) +
    text.slice(endOfCell(text, start, separator))
  );
}

/** Returns the index of the separator after a cell, or the length of the record. */
function endOfCell(text: string, start: number, separator: string): number {
  let from = start;
  if (text[start] === '"') {
    from += 1;
    while (from < text.length && (text[from] !== '"' || text[from + 1] === '"'))
      from += text[from] === '"' ? 2 : 1;
  }
  const end = text.indexOf(separator, from);
  return end < 0 ? text.length : end;
}
