/** Reads the account numbers in one column of an operator's CSV file. */
import type { Sliced } from "../../accounts/slices.ts";
import { AppError } from "../../errors/app-error.ts";
import { RecordCutter } from "../../rows/record-cutter.ts";
import {
  cellBytes,
  cellsOf,
  cellsProblem,
  cellText,
  formulaProblem,
  QUOTE,
  type RawRecord,
  textOf,
  withoutApostrophe,
} from "../../rows/record-text.ts";
import { type Source, SourceBuilder, supplierColumn } from "./source.ts";
import { columnNames } from "./table-head.ts";

/**
 * Number of bytes passed to the record cutter at a time. The cutter copies its input, so a small
 * number saves memory.
 */
const pieceBytes = 256 * 1024;

interface CsvOptions {
  readonly name: string;
  readonly column: string;
  readonly separator: string;
  /** The supplier whose rows are read, or null to read the rows of all suppliers. */
  readonly supplier: string | null;
}

/**
 * Reads the account numbers of a CSV file. The first row that is not blank is the header, which names
 * the column. `bytes` must not begin with a byte order mark. Throws a source error if the header
 * names the column twice.
 */
export function* readCsv(bytes: Uint8Array, options: CsvOptions): Sliced<Source> {
  const rows = new CsvRows(bytes.length, options);
  const cutter = new RecordCutter("csv", options.separator);
  for (let from = 0; from < bytes.length; from += pieceBytes) {
    cutter.append(bytes.subarray(from, from + pieceBytes));
    if (from + pieceBytes >= bytes.length) cutter.finish();
    for (let record = cutter.take(); record !== null; record = cutter.take()) rows.take(record);
    yield;
  }
  return rows.builder.finish(options.name, "csv");
}

class CsvRows {
  readonly builder: SourceBuilder;
  readonly #options: CsvOptions;
  #columnIndex = -1;
  /** The index of the column with the supplier, or -1 if there is none or it is ignored. */
  #supplierIndex = -1;
  #width = 0;

  constructor(maxBytes: number, options: CsvOptions) {
    this.builder = new SourceBuilder(maxBytes);
    this.#options = options;
  }

  take(record: RawRecord): void {
    const { line, content, issue } = record;
    this.builder.begin(content);
    if (issue !== null) {
      this.builder.addIssue(line, { kind: "unreadable", message: issue.message });
      return;
    }
    if (this.#width === 0) {
      // Separators and quotes are ASCII, so a header that is not UTF-8 has the same cells in Latin-1.
      const text = textOf(record) ?? content.toString("latin1");
      this.#takeHeader(cellsOf(text, this.#options.separator));
    } else if (isBlank(record)) {
      this.builder.addIssue(line, { kind: "blank" });
    } else if (record.cellCount !== this.#width) {
      this.#addWidthIssue(line, record.cellCount);
    } else if (!this.#isLeftOut(record)) {
      this.#addNumber(record);
    }
  }

  /** Adds the number of a row. Only the number must be UTF-8. Other columns can have any encoding. */
  #addNumber(record: RawRecord): void {
    const { line, content } = record;
    const { from, to } = cellBytes(record, this.#columnIndex);
    if (isPlain(content, from, to)) {
      this.builder.addBytes(line, content, from, to);
      return;
    }
    const cell = cellText(record, this.#columnIndex)?.trim();
    if (cell === undefined) {
      this.builder.addIssue(line, { kind: "not-utf8" });
      return;
    }
    const message = formulaProblem(cell);
    if (message === null) this.builder.addText(line, withoutApostrophe(cell));
    else this.builder.addIssue(line, { kind: "unreadable", message });
  }

  #takeHeader(cells: readonly string[]): void {
    if (cells.every((cell) => cell.trim() === "")) return;
    this.#columnIndex = this.#indexOf(cells, this.#options.column);
    if (this.#options.supplier !== null) this.#supplierIndex = this.#indexOf(cells, supplierColumn);
    this.#width = cells.length;
  }

  /** Returns the index of a column, or -1. Throws a source error if the header has it twice. */
  #indexOf(cells: readonly string[], column: string): number {
    const index = cells.findIndex((cell) => cell.trim() === column);
    if (index === cells.findLastIndex((cell) => cell.trim() === column)) return index;
    const words = `${this.#options.name} has the column ${column} twice`;
    throw new AppError("source", "usage", words, {
      columns: columnNames(cells),
      remedy: `Remove one. Its columns: ${columnNames(cells).join(", ")}.`,
    });
  }

  #isLeftOut(record: RawRecord): boolean {
    const { supplier } = this.#options;
    if (supplier === null || this.#supplierIndex === -1) return false;
    const named = cellText(record, this.#supplierIndex)?.trim() ?? "";
    if (named === "" || named === supplier) return false;
    this.builder.leaveOut(named);
    return true;
  }

  #addWidthIssue(line: number, cells: number): void {
    const message = cellsProblem(cells, this.#width);
    this.builder.addIssue(line, { kind: "unreadable", message });
  }
}

function isBlank(record: RawRecord): boolean {
  for (let index = 0; index < record.cellCount; index++) {
    const { from, to } = cellBytes(record, index);
    if (from < to) return false;
  }
  return true;
}

/**
 * Returns true if a cell can be added as it is: printable ASCII without quotes, that does not begin
 * like a formula or with an apostrophe.
 */
function isPlain(bytes: Uint8Array, from: number, to: number): boolean {
  const first = bytes[from] as number;
  if (!isLetterOrDigit(first)) return false;
  for (let at = from; at < to; at++) {
    const byte = bytes[at] as number;
    if (byte < 0x20 || byte > 0x7e || byte === QUOTE) return false;
  }
  return from < to;
}

function isLetterOrDigit(byte: number): boolean {
  return (byte >= 0x30 && byte <= 0x39) || ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a);
}
