import { type Command, InvalidArgumentError } from "commander";
import { toJson } from "../../json/print.ts";
import type { StatusWords } from "../../text/describe-status.ts";
import { nearest } from "../../text/suggest.ts";
import { usageError } from "../command-error.ts";

/**
 * One column of what a verb prints: for scripts, for people and for the reference. Its cell is the
 * field of the row with its name, if it does not say otherwise.
 */
export interface Column<R = never> {
  /** For scripts: the title of CSV and TSV, the key of JSON. */
  readonly name: keyof R & string;
  /** For people: the title of a table. */
  readonly title: string;
  /** What JSON holds there, in the words of the reference. */
  readonly type: string;
  /** What it means, in one sentence of the reference. */
  readonly meaning: string;
  readonly align?: "right";
  /** Parts behind commas, of which none is ever cut. */
  readonly parts?: boolean;
  /** Cells that a table has room for at least, where it is printed before all rows are there. */
  readonly width?: number;
  /** The cell of CSV and TSV where JSON holds more than a text. */
  text?(row: R): unknown;
  /** The cell for people where they read other words. */
  shown?(row: R): unknown;
}

/** A column whose cell is the field of the row with its name: for scripts, people and the reference. */
export function column<const Name extends string>(
  name: Name,
  title: string,
  type: string,
  meaning: string,
) {
  return { name, title, type, meaning };
}

/** Declares `--columns`; a verb with columns has it. */
export function addColumns(command: Command): Command {
  return command.option(
    "--columns <names>",
    "only these columns, in this order: names with commas between them",
    columnNames,
  );
}

function columnNames(text: string): readonly string[] {
  const names = text.split(",").map((name) => name.trim());
  if (names.some((name) => name === ""))
    throw new InvalidArgumentError("Write names with commas between them, as in A,B.");
  return names;
}

/** The columns asked for, or all. Throws `usage` with the names there are for one there is not. */
export function chosenColumns<C extends { readonly name: string }>(
  all: readonly C[],
  names: readonly string[] | undefined,
): readonly C[] {
  if (names === undefined) return all;
  return names.map((name) => {
    const found = all.find((column) => column.name === name);
    if (found !== undefined) return found;
    const known = all.map((column) => column.name);
    const meant = nearest(name, known);
    const hint = meant === null ? "" : ` Did you mean ${meant}?`;
    throw usageError(
      `--columns: there is no column ${JSON.stringify(name)}`,
      `Columns: ${known.join(", ")}.${hint}`,
    );
  });
}

/** The columns with the status in words, and below it what it means. */
export function withMeaning<R extends { readonly status?: string | undefined }>(
  columns: readonly Column<R>[],
  wordsOf: (status: string) => StatusWords,
): readonly Column<R>[] {
  return columns.flatMap((column): Column<R>[] =>
    column.name === "status"
      ? [
          { ...column, shown: ({ status = "" }) => wordsOf(status).label },
          { ...column, title: "", shown: ({ status = "" }) => wordsOf(status).meaning },
        ]
      : [column],
  );
}

/** The value of a cell as JSON holds it; undefined where the row has no such field. */
export function fieldOf<R extends object>(row: R, { name }: Column<R>): unknown {
  return (row as Readonly<Record<string, unknown>>)[name];
}

/** The cell of a format that has text and numbers only. */
export function cellOf<R extends object>(row: R, column: Column<R>): string | number | null {
  const value = column.text === undefined ? fieldOf(row, column) : column.text(row);
  if (value === null || value === undefined) return null;
  if (typeof value === "string" || typeof value === "number") return value;
  return isTexts(value) ? value.join(" ") : toJson(value);
}

/** The cell for people; what is not there is a dash. */
export function shownCell<R extends object>(row: R, column: Column<R>): string {
  const { text, shown: own } = column;
  return shown(own?.(row) ?? (text === undefined ? fieldOf(row, column) : text(row)));
}

/** A value for people; what is not there is a dash. */
export function shown(value: unknown): string {
  if (value === null || value === undefined || value === "") return "-";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "string" || typeof value === "number") return String(value);
  return isTexts(value) ? value.join(", ") || "-" : toJson(value);
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}
