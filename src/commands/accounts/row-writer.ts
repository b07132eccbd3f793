import type { AccountListItem } from "../../accounts/ingest/batch.ts";
import { toJson } from "../../json/print.ts";
import { csvRow } from "../../text/csv.ts";
import { safe } from "../../text/sanitise.ts";
import { widthOf } from "../../text/width.ts";
import type { Format } from "../global-options.ts";

/** Turns rows into the text of a format, part by part, so that a list is never held as a whole. */
interface RowWriter {
  /** The text for some more rows, with what stands before the first. */
  rows(rows: readonly AccountListItem[]): string;
  /** What stands at the end of a list that is complete. */
  end(): string;
  /**
   * What stands at the end of one that is not: nothing closes it, so that no JSON parser takes it for
   * the whole list, and people read it below the rows.
   */
  cutOff(): string;
  /** What stands there for a list that is complete and empty. */
  empty(): string;
}

const names = [
  "external_account_number",
  "service_account_number",
  "account_created_at",
] as const satisfies readonly (keyof AccountListItem)[];

export function rowWriter(format: Format): RowWriter {
  switch (format) {
    case "json":
      return jsonWriter();
    case "jsonl":
      return lineWriter("", (row) => toJson(row));
    case "csv":
      return lineWriter(`${csvRow(names)}\n`, (row) => csvRow(names.map((name) => row[name])));
    case "table":
      return tableWriter();
  }
}

function jsonWriter(): RowWriter {
  let started = false;
  return {
    rows(rows) {
      let text = "";
      for (const row of rows) {
        text += (started ? ",\n" : "[\n") + toJson(row);
        started = true;
      }
      return text;
    },
    end: () => (started ? "\n]\n" : ""),
    cutOff: () => (started ? "\n" : ""),
    empty: () => "[]\n",
  };
}

function lineWriter(head: string, line: (row: AccountListItem) => string): RowWriter {
  let before = head;
  return {
    rows(rows) {
      if (rows.length === 0) return "";
      let text = before;
      before = "";
      for (const row of rows) text += `${line(row)}\n`;
      return text;
    },
    end: () => "",
    cutOff: () => "",
    empty: () => head,
  };
}

const titles = ["External account number", "Service account number", "Account created at"];

/** Widths come from the first rows; a longer text further down is never cut, it just sticks out. */
function tableWriter(): RowWriter {
  let widths: readonly number[] | null = null;
  return {
    rows(rows) {
      if (rows.length === 0) return "";
      const cells = rows.map((row) => names.map((name) => shown(row[name])));
      let text = "";
      if (widths === null) {
        widths = titles.map((title, at) =>
          cells.reduce((most, row) => Math.max(most, widthOf(row[at] ?? "")), title.length),
        );
        text = line(titles, widths);
      }
      for (const row of cells) text += line(row, widths);
      return text;
    },
    end: () => "",
    cutOff: () => "incomplete\n",
    empty: () => "",
  };
}

function shown(value: string | null): string {
  return value === null || value === "" ? "-" : safe(value);
}

const plain = /^[\x20-\x7e]*$/;

function line(cells: readonly string[], widths: readonly number[]): string {
  let text = "";
  for (const [at, cell] of cells.entries()) {
    const width = plain.test(cell) ? cell.length : widthOf(cell);
    const isLast = at === cells.length - 1;
    text += isLast ? cell : cell + " ".repeat(Math.max(0, (widths[at] ?? 0) - width) + 2);
  }
  return `${text}\n`;
}
