/** Formats rows in any format, part by part, so that no whole list is in memory. */

import { toJson } from "../../json/exact.ts";
import { csvRow, tsvRow } from "../../rows/csv.ts";
import { safe } from "../../text/sanitize.ts";
import { markdownTable, textTable } from "../../text/table.ts";
import { widthOf } from "../../text/width.ts";
import type { Format } from "../global-options.ts";
import { type Column, cellOf, fieldOf, shownCell } from "./columns.ts";

export interface RowWriter<R> {
  /** Returns the text of further rows. The first text begins with the header. */
  rows(rows: readonly R[]): string;
  end(): string;
  /**
   * Returns the end of an incomplete output. A JSON array stays open, so that no parser accepts it.
   * A table ends with a note.
   */
  cutOff(): string;
}

export interface WriterOptions<R> {
  /**
   * True if JSON has only the given columns. Otherwise JSON is the result of `json`, or the row.
   */
  readonly isChosen?: boolean | undefined;
  /** Returns the JSON value of a row. Default: the row. */
  readonly json?: ((row: R) => unknown) | undefined;
  /** Maximum width of a table's line in cells. Default: no limit, so that no cell is cut. */
  readonly maxWidth?: number | undefined;
  readonly ascii?: boolean | undefined;
}

export function rowWriter<R extends object>(
  format: Format,
  columns: readonly Column<R>[],
  options: WriterOptions<R> = {},
): RowWriter<R> {
  const names = columns.map(({ name }) => name);
  const cells = (row: R) => columns.map((column) => cellOf(row, column));
  switch (format) {
    case "json":
      return jsonWriter(jsonOf(columns, options));
    case "jsonl": {
      const json = jsonOf(columns, options);
      return lineWriter("", (row) => toJson(json(row)));
    }
    case "csv":
      return lineWriter(`${csvRow(names)}\n`, (row) => csvRow(cells(row)));
    case "tsv":
      return lineWriter(`${tsvRow(names)}\n`, (row) => tsvRow(cells(row)));
    case "md": {
      const titles = columns.map(({ title }) => title);
      // Without the empty line, the note would be a row of the table.
      const frame = { headLines: 2, cutOffEnd: `\n${incomplete}` };
      return linesWriter(columns, (cells) => markdownTable(titles, cells), frame);
    }
    case "table": {
      const { maxWidth, ascii } = options;
      if (maxWidth === undefined) return tableWriter(columns);
      const fitted = (cells: readonly (readonly string[])[]) =>
        textTable(columns, cells, { maxWidth, ascii });
      return linesWriter(columns, fitted, { headLines: 1, cutOffEnd: incomplete });
    }
  }
}

/** Returns the chosen columns as JSON, or the row itself if its properties are the columns. */
export function jsonOf<R extends object>(
  columns: readonly Column<R>[],
  { isChosen, json }: WriterOptions<R>,
): (row: R) => unknown {
  if (!isChosen && json !== undefined) return json;
  if (!isChosen && columns.every(({ value }) => value === undefined)) return (row) => row;
  return (row) => Object.fromEntries(columns.map((column) => [column.name, fieldOf(row, column)]));
}

function jsonWriter<R>(json: (row: R) => unknown): RowWriter<R> {
  let hasBegun = false;
  return {
    rows(rows) {
      let text = "";
      for (const row of rows) {
        text += (hasBegun ? ",\n" : "[\n") + toJson(json(row));
        hasBegun = true;
      }
      return text;
    },
    end: () => (hasBegun ? "\n]\n" : "[]\n"),
    cutOff: () => (hasBegun ? "\n" : ""),
  };
}

function lineWriter<R>(head: string, line: (row: R) => string): RowWriter<R> {
  let unwrittenHead = head;
  return {
    rows(rows) {
      if (rows.length === 0) return "";
      let text = unwrittenHead;
      unwrittenHead = "";
      for (const row of rows) text += `${line(row)}\n`;
      return text;
    },
    end: () => unwrittenHead,
    cutOff: () => "",
  };
}

const incomplete = "incomplete\n";

/**
 * Creates a writer of a table whose lines are created for each part of the rows. The first
 * `headLines` lines are written once. `cutOffEnd` is the end of an incomplete output after some rows.
 */
function linesWriter<R extends object>(
  columns: readonly Column<R>[],
  linesOf: (cells: readonly (readonly string[])[]) => readonly string[],
  { headLines, cutOffEnd }: { readonly headLines: number; readonly cutOffEnd: string },
): RowWriter<R> {
  let hasBegun = false;
  return {
    rows(rows) {
      if (rows.length === 0) return "";
      const lines = linesOf(rows.map((row) => columns.map((column) => shownCell(row, column))));
      const text = (hasBegun ? lines.slice(headLines) : lines).join("\n");
      hasBegun = true;
      return `${text}\n`;
    },
    end: () => "",
    cutOff: () => (hasBegun ? cutOffEnd : incomplete),
  };
}

/**
 * Creates a writer of a table. The first rows determine the widths of the columns. A longer text in
 * a later row is not cut and exceeds its column.
 */
function tableWriter<R extends object>(columns: readonly Column<R>[]): RowWriter<R> {
  const titles = columns.map(({ title }) => title);
  let widths: readonly number[] | null = null;
  return {
    rows(rows) {
      if (rows.length === 0) return "";
      const cells = rows.map((row) => columns.map((column) => safe(shownCell(row, column))));
      let text = "";
      if (widths === null) {
        widths = columns.map(({ title, width = 0 }, index) =>
          cells.reduce(
            (widest, row) => Math.max(widest, widthOf(row[index] ?? "")),
            Math.max(title.length, width),
          ),
        );
        text = tableLine(titles, widths, columns);
      }
      for (const row of cells) text += tableLine(row, widths, columns);
      return text;
    },
    end: () => "",
    cutOff: () => incomplete,
  };
}

/** A text whose width in cells is its length. */
const ascii = /^[\x20-\x7e]*$/;

function tableLine(
  cells: readonly string[],
  widths: readonly number[],
  columns: readonly { readonly align?: "right" }[],
): string {
  let text = "";
  for (const [index, cell] of cells.entries()) {
    const width = ascii.test(cell) ? cell.length : widthOf(cell);
    const isLast = index === cells.length - 1;
    const gap = " ".repeat(Math.max(0, (widths[index] ?? 0) - width));
    if (columns[index]?.align === "right") text += gap + cell + (isLast ? "" : "  ");
    else text += isLast ? cell : `${cell}${gap}  `;
  }
  return `${text}\n`;
}
