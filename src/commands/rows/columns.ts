/** Defines a column of a command's output, and the columns that several commands print. */

import { type Command, InvalidArgumentError } from "commander";
import { toJson } from "../../json/exact.ts";
import type { StatusWords } from "../../text/describe-status.ts";
import { asCell, type FieldName, type FieldValue, isTexts, namedField } from "../../text/fields.ts";
import { sharedFields } from "../../text/shared-fields.ts";
import { nearest } from "../../text/suggest.ts";
import { usageError } from "../command-error.ts";

/**
 * One column of a command's output, for people, scripts and the reference. Default of a cell: the
 * field of the row with the column's name.
 */
export interface Column<R = never> {
  /** The title in CSV and TSV, and the key in JSON. */
  readonly name: string;
  readonly title: string;
  readonly type: string;
  readonly meaning: string;
  readonly align?: "right";
  /** True for a comma-separated list. None of its items is ever cut. */
  readonly isList?: boolean;
  /** Minimum width in cells of a table that is printed before all rows are known. */
  readonly width?: number;
  /** Returns the value in JSON. Default: the property of the row with the name. */
  value?(row: R): unknown;
  /** Returns the cell for CSV and TSV. Default: the value, as text. */
  text?(row: R): unknown;
  /** Returns the cell for people. Default: the result of `text`, or the value. */
  shown?(row: R): unknown;
}

export function column<const Name extends string>(
  named: FieldName<Name>,
  type: string,
  meaning: string,
) {
  return { ...namedField(named), type, meaning };
}

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

/**
 * Returns the requested columns, or all if `names` is undefined. For an unknown name, throws `usage`
 * with all names.
 */
export function chosenColumns<C extends { readonly name: string }>(
  all: readonly C[],
  names: readonly string[] | undefined,
): readonly C[] {
  if (names === undefined) return all;
  return names.map((name) => {
    const named = all.find((column) => column.name === name);
    if (named !== undefined) return named;
    const known = all.map((column) => column.name);
    const suggestion = nearest(name, known);
    const hint = suggestion === null ? "" : ` Did you mean ${suggestion}?`;
    throw usageError(
      `--columns: there is no column ${JSON.stringify(name)}`,
      `Columns: ${known.join(", ")}.${hint}`,
    );
  });
}

export function withStatusText<R extends object>(
  columns: readonly Column<R>[],
  wordsOf: (row: R) => Pick<StatusWords, "label" | "meaning">,
): readonly Column<R>[] {
  return columns.flatMap((column): Column<R>[] =>
    column.name === "status"
      ? [
          { ...column, shown: (row) => wordsOf(row).label },
          { ...column, title: "", shown: (row) => wordsOf(row).meaning },
        ]
      : [column],
  );
}

export function fieldOf<R extends object>(row: R, { name, value }: Column<R>): unknown {
  return value === undefined ? (row as Readonly<Record<string, unknown>>)[name] : value(row);
}

export function cellOf<R extends object>(row: R, column: Column<R>): FieldValue {
  const value = column.text === undefined ? fieldOf(row, column) : column.text(row);
  return asCell(value);
}

export function shownCell<R extends object>(row: R, column: Column<R>): string {
  const { text, shown: cellForPeople } = column;
  return shown(cellForPeople?.(row) ?? (text === undefined ? fieldOf(row, column) : text(row)));
}

export function shown(value: unknown): string {
  if (value === null || value === undefined || value === "") return "-";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "string" || typeof value === "number") return String(value);
  return isTexts(value) ? value.join(", ") || "-" : toJson(value);
}

export const utcText = "text, UTC";

export const supplierColumn = column(...sharedFields.supplier);

export const accountColumn = column(...sharedFields.account);

export const serviceNumberColumn = column(...sharedFields.serviceAccount);

export const statusColumn = column("status", "text", "The status, exactly as the service sent it.");

export const outcomeColumn = column(...sharedFields.outcome);

export const journalIdColumn = column(...sharedFields.entry);

export const supplyPointColumn = column(
  "external_identifier",
  "text",
  "The supply point's identifier.",
);

/**
 * The columns for the import process of a supply point (INTERFACE 4.7), without its latest error.
 */
export const processColumns = [
  statusColumn,
  column("service_identifier", "text or null", "The supply point on the platform."),
  column("created_at", "text or null", "The time at which the import process was created."),
  column("modified_at", "text or null", "The time at which the import process last changed."),
] as const;

export const serviceColumns = [
  column(...sharedFields.environment),
  column(...sharedFields.baseUrl),
  column(...sharedFields.readOnly),
] as const;
