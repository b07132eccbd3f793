/** Reads the account numbers in one column of an operator's CSV file. */
import { isUtf8 } from "node:buffer";
import type { Sliced } from "../../accounts/slices.ts";
import { RecordCutter } from "../../bulk/input/record-cutter.ts";
import {
  cellsOf,
  formulaProblem,
  type RawRecord,
  textOf,
  withoutApostrophe,
} from "../../bulk/input/record-text.ts";
import { AppError } from "../../errors/app-error.ts";
import { plural } from "../../text/numbers.ts";
import { type Source, SourceBuilder, supplierColumn } from "./source.ts";
import { columnNames } from "./table-head.ts";

/**
 * Number of bytes passed to the record cutter at a time. The cutter copies its input, so a small
 * number saves memory.
 */
const pieceBytes = 256 * 1024;

/**
 * The first bytes of cells that might be formulas, and the apostrophe with which an export escapes a
 * formula.
 */
const formulaStarts: ReadonlySet<number> = new Set(Buffer.from("'=+-@"));

const [LF, CR, quote] = [0x0a, 0x0d, 0x22];

interface CsvOptions {
  /** The name of the source. */
  readonly name: string;
  /** The title of the column with the account numbers. */
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
  const rows = new CsvRows(bytes, options);
  if (bytes.includes(quote)) yield* takeRecords(bytes, rows, options);
  else yield* takeLines(bytes, rows);
  return rows.builder.finish(options.name, "csv");
}

/** Reads a file without quotes, in which every line is a record. */
function* takeLines(bytes: Uint8Array, rows: CsvRows): Sliced<void> {
  let line = 1;
  for (let start = 0; start < bytes.length; line++) {
    let end = start;
    while (end < bytes.length && bytes[end] !== LF && bytes[end] !== CR) end++;
    if (end > start) rows.takeLine(line, bytes, start, end);
    start = end + (bytes[end] === CR && bytes[end + 1] === LF ? 2 : 1);
    if (line % 4096 === 0) yield;
  }
}

/** Reads a file with quotes, in which a record can have several lines. */
function* takeRecords(bytes: Uint8Array, rows: CsvRows, { separator }: CsvOptions): Sliced<void> {
  const cutter = new RecordCutter("csv", separator);
  for (let from = 0; from < bytes.length; from += pieceBytes) {
    cutter.append(bytes.subarray(from, from + pieceBytes));
    if (from + pieceBytes >= bytes.length) cutter.finish();
    for (let record = cutter.take(); record !== null; record = cutter.take()) rows.take(record);
    yield;
  }
}

/** Collects the account numbers of the rows of a CSV file. */
class CsvRows {
  readonly builder: SourceBuilder;
  readonly #options: CsvOptions;
  readonly #separator: string;
  readonly #separatorByte: number;
  /** The index of the column in the header, or -1 before the header is read. */
  #columnIndex = -1;
  /** The index of the column with the supplier, or -1 if there is none or it is ignored. */
  #supplierIndex = -1;
  /** The number of cells of the header, or 0 before the header is read. */
  #width = 0;
  /** True if the whole file is UTF-8. */
  readonly #allUtf8: boolean;
  /** The reused results of `#find`. */
  readonly #cell = { from: 0, to: 0, cells: 0 };
  readonly #supplierCell = { from: 0, to: 0, cells: 0 };

  constructor(bytes: Uint8Array, options: CsvOptions) {
    const { separator } = options;
    this.builder = new SourceBuilder(bytes.length);
    this.#allUtf8 = isUtf8(bytes);
    this.#options = options;
    this.#separator = separator;
    this.#separatorByte = separator.charCodeAt(0);
  }

  /** Adds a record. */
  take(record: RawRecord): void {
    const { line, content, issue } = record;
    this.builder.begin(content);
    if (issue !== null) {
      this.builder.addIssue(line, { kind: "unreadable", message: issue.message });
      return;
    }
    if (!content.includes(quote)) {
      this.takeLine(line, content, 0, content.length);
      return;
    }
    const text = textOf(record);
    // Text that is not UTF-8 is split as Latin-1, which finds the same cells, because separators
    // and quotes are ASCII.
    const cells = cellsOf(text ?? content.toString("latin1"), this.#separator);
    if (this.#width === 0) {
      this.#takeHeader(cells);
    } else if (cells.every((cell) => cell === "")) {
      this.builder.addIssue(line, { kind: "blank" });
    } else if (cells.length !== this.#width) {
      this.#addWidthIssue(line, cells.length);
    } else if (!this.#isLeftOut(cells[this.#supplierIndex] ?? "")) {
      const cell = cells[this.#columnIndex] ?? "";
      const number = text === null ? utf8Of(cell) : cell;
      if (number === null) this.builder.addIssue(line, { kind: "not-utf8" });
      else this.#addCell(line, number.trim());
    }
  }

  /** Adds a row without quotes, directly from its bytes. */
  takeLine(line: number, bytes: Uint8Array, from: number, to: number): void {
    if (this.#width === 0) {
      this.#takeHeader(textIn(bytes, from, to).split(this.#separator));
      return;
    }
    this.builder.begin(bytes, from, to);
    const cell = this.#find(bytes, from, to, this.#columnIndex, this.#cell);
    const first = bytes[cell.from] as number;
    // A row of only separators has one cell more than it has bytes.
    if (cell.cells - 1 === to - from) {
      this.builder.addIssue(line, { kind: "blank" });
    } else if (cell.cells !== this.#width) {
      this.#addWidthIssue(line, cell.cells);
    } else if (this.#supplierIndex >= 0 && this.#isLeftOut(this.#supplierIn(bytes, from, to))) {
      return;
    } else if (!this.#allUtf8 && !isUtf8(bytes.subarray(cell.from, cell.to))) {
      // Only the number must be UTF-8. Names in another column can have any encoding.
      this.builder.addIssue(line, { kind: "not-utf8" });
    } else if (formulaStarts.has(first) || first <= 0x20) {
      this.#addCell(line, textIn(bytes, cell.from, cell.to).trim());
    } else {
      this.builder.addBytes(line, bytes, cell.from, cell.to);
    }
  }

  /** Adds the account number of a row, or an issue if the cell is a formula. */
  #addCell(line: number, cell: string): void {
    const message = formulaProblem(cell);
    if (message === null) this.builder.addText(line, withoutApostrophe(cell));
    else this.builder.addIssue(line, { kind: "unreadable", message });
  }

  /** Reads the header, unless the row is blank. */
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

  #supplierIn(bytes: Uint8Array, from: number, to: number): string {
    const cell = this.#find(bytes, from, to, this.#supplierIndex, this.#supplierCell);
    return textIn(bytes, cell.from, cell.to);
  }

  /** Returns true, and counts the row, if its cell names another supplier. */
  #isLeftOut(cell: string): boolean {
    const { supplier } = this.#options;
    const named = cell.trim();
    if (supplier === null || named === "" || named === supplier) return false;
    this.builder.leaveOut(named);
    return true;
  }

  /**
   * Writes the start and end of a column's cell, and the number of cells in the row, to `result`,
   * and returns it.
   */
  #find(
    bytes: Uint8Array,
    from: number,
    to: number,
    column: number,
    result: { from: number; to: number; cells: number },
  ): { readonly from: number; readonly to: number; readonly cells: number } {
    let index = 0;
    let start = from;
    for (let at = from; at <= to; at++) {
      if (at < to && bytes[at] !== this.#separatorByte) continue;
      if (index === column) {
        result.from = start;
        result.to = at;
      }
      index += 1;
      start = at + 1;
    }
    result.cells = index;
    return result;
  }

  #addWidthIssue(line: number, cells: number): void {
    const message = `This row has ${plural(cells, "cell")}, the header ${this.#width}.`;
    this.builder.addIssue(line, { kind: "unreadable", message });
  }
}

function textIn(bytes: Uint8Array, from: number, to: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString();
}

/** Decodes the bytes of a cell that was read as Latin-1, or returns null if they are not UTF-8. */
function utf8Of(cell: string): string | null {
  const bytes = Buffer.from(cell, "latin1");
  return isUtf8(bytes) ? bytes.toString() : null;
}
