/** Writes the rows of an input that cannot be sent, each with its reason, to fix and run them. */
import { isJsonObject } from "../json/exact.ts";
import { placeAt, tokensOf } from "../json/positions.ts";
import { scanJson } from "../json/scan.ts";
import { byteOrderMarkLength } from "../rows/layout.ts";
import { RecordCutter } from "../rows/record-cutter.ts";
import { cellPlace, cellsOf, type RawRecord } from "../rows/record-text.ts";
import { readPlanned } from "./input/read-planned.ts";
import { reasonColumn } from "./input/reason-column.ts";
import type { ReadingOptions } from "./run-settings.ts";

/** The reason of each row with an error, by the line on which the row begins. */
type Reasons = ReadonlyMap<number, string>;

/** Reads an input again, and returns the reasons of its rows with errors. */
async function reasonsIn(
  bytes: AsyncIterable<Uint8Array>,
  reading: ReadingOptions,
): Promise<Reasons> {
  const reasons = new Map<number, string>();
  for await (const planned of readPlanned(bytes, reading)) {
    if (planned.kind !== "issue" || planned.issue.severity !== "error") continue;
    const { line, column, message } = planned.issue;
    const words = column === null ? message : `${column}: ${message}`;
    const earlier = reasons.get(line);
    reasons.set(line, earlier === undefined ? words : `${earlier} ${words}`);
  }
  return reasons;
}

/**
 * Yields the rows of an input that have an error, byte for byte, with the reason as their last
 * column or key. A CSV begins with its header. A row that is no row of a table is the text of the
 * first cell, so that it does not look like a row that was fixed. `bytesOf` opens the input, which
 * is read twice.
 */
export async function* badRows(
  bytesOf: () => AsyncIterable<Uint8Array>,
  reading: ReadingOptions,
): AsyncGenerator<Uint8Array, void, void> {
  const reasons = await reasonsIn(bytesOf(), reading);
  const cutter = new RecordCutter(reading.format);
  let table: Table | null = null;
  for await (const records of cutter.cut(bytesOf()))
    for (const record of records) {
      if (cutter.layout?.kind === "csv" && table === null) {
        table = tableOf(record, String.fromCharCode(cutter.layout.separator));
        yield withEnds(record, withReason(latin1(record), reasonColumn, table), table.lineEnd);
        continue;
      }
      const reason = reasons.get(record.line);
      if (reason === undefined) continue;
      yield table === null
        ? Buffer.from(`${jsonWithReason(record.content.toString(), reason)}\n`)
        : withEnds(record, rowWithReason(record, reason, table), table.lineEnd);
    }
}

/** The header of a CSV input. */
interface Table {
  readonly separator: string;
  readonly width: number;
  /** True if the last column has the reasons of an earlier check, which are replaced. */
  readonly hasReason: boolean;
  readonly lineEnd: string;
}

function tableOf(header: RawRecord, separator: string): Table {
  const cells = cellsOf(latin1(header), separator);
  return {
    separator,
    width: cells.length,
    hasReason: cells.at(-1)?.trim() === reasonColumn,
    lineEnd: lineEndOf(header) || "\n",
  };
}

/** Returns a record as Latin-1, which preserves the bytes of text that is not UTF-8. */
function latin1({ content }: RawRecord): string {
  return content.toString("latin1");
}

function lineEndOf({ bytes }: RawRecord): string {
  return /[\r\n]*$/.exec(bytes.subarray(-2).toString("latin1"))?.[0] ?? "";
}

function rowWithReason(record: RawRecord, reason: string, table: Table): string {
  const { separator, width, hasReason } = table;
  const text = latin1(record);
  const words = Buffer.from(reason).toString("latin1");
  const isRow = record.issue === null && cellsOf(text, separator).length === width;
  if (isRow) return withReason(text, words, table);
  const columns = hasReason ? width : width + 1;
  return quotedCell(text) + separator.repeat(Math.max(1, columns - 1)) + quotedCell(words);
}

function withReason(text: string, reason: string, { separator, width, hasReason }: Table): string {
  const cell = reason === reasonColumn ? reason : quotedCell(reason);
  if (!hasReason) return text + separator + cell;
  const { start, end } = cellPlace(text, separator, width - 1);
  return text.slice(0, start) + cell + text.slice(end);
}

function quotedCell(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

function withEnds(record: RawRecord, content: string, lineEnd: string): Buffer {
  const mark = record.bytes.subarray(0, byteOrderMarkLength(record.bytes));
  return Buffer.concat([mark, Buffer.from(content + lineEnd, "latin1")]);
}

/** Adds the reason to a line of JSON as its last key. A line that is no object becomes a text. */
function jsonWithReason(line: string, reason: string): string {
  const text = line.trimEnd();
  const scanned = scanJson(text);
  const quotedReason = JSON.stringify(reason);
  if (!scanned.ok || !isJsonObject(scanned.value))
    return `{"unreadable_row":${JSON.stringify(line)},"${reasonColumn}":${quotedReason}}`;
  const place = placeAt(scanned.place, [reasonColumn]);
  if (place !== undefined) {
    const [earlier] = tokensOf(text.slice(place.start));
    if (earlier?.text.startsWith('"'))
      return (
        text.slice(0, place.start) + quotedReason + text.slice(place.start + earlier.text.length)
      );
  }
  const separator = Object.keys(scanned.value).length === 0 ? "" : ",";
  return `${text.slice(0, -1)}${separator}"${reasonColumn}":${quotedReason}}`;
}
