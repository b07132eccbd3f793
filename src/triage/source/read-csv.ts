/** Reads the account numbers in one column of an operator's CSV file. */
import { isUtf8 } from "node:buffer";
import type { Sliced } from "../../accounts/slices.ts";
import { AppError } from "../../errors/app-error.ts";
import { RecordCutter } from "../../rows/record-cutter.ts";
import {
  cellsOf,
  formulaProblem,
  type RawRecord,
  textOf,
  withoutApostrophe,
} from "../../rows/record-text.ts";
import { plural } from "../../text/numbers.ts";
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
    const text = textOf(record);
    // Text that is not UTF-8 is split as Latin-1, which finds the same cells, because separators
    // and quotes are ASCII.
    const cells = cellsOf(text ?? content.toString("latin1"), this.#options.separator);
    // Only the number must be UTF-8. Names in another column can have any encoding.
    const cellAt = (index: number) => (text === null ? utf8Of(cells[index]) : cells[index]) ?? null;
    if (this.#width === 0) {
      this.#takeHeader(cells);
    } else if (cells.every((cell) => cell === "")) {
      this.builder.addIssue(line, { kind: "blank" });
    } else if (cells.length !== this.#width) {
      this.#addWidthIssue(line, cells.length);
    } else if (!this.#isLeftOut(cellAt(this.#supplierIndex) ?? "")) {
      const number = cellAt(this.#columnIndex);
      if (number === null) this.builder.addIssue(line, { kind: "not-utf8" });
      else this.#addCell(line, number.trim());
    }
  }

  #addCell(line: number, cell: string): void {
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

  #isLeftOut(cell: string): boolean {
    const { supplier } = this.#options;
    const named = cell.trim();
    if (supplier === null || named === "" || named === supplier) return false;
    this.builder.leaveOut(named);
    return true;
  }

  #addWidthIssue(line: number, cells: number): void {
    const message = `This row has ${plural(cells, "cell")}, the header ${this.#width}.`;
    this.builder.addIssue(line, { kind: "unreadable", message });
  }
}

/** Decodes the bytes of a cell that was read as Latin-1, or returns null if they are not UTF-8. */
function utf8Of(cell: string = ""): string | null {
  const bytes = Buffer.from(cell, "latin1");
  return isUtf8(bytes) ? bytes.toString() : null;
}
