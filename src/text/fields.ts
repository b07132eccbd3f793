/**
 * The type of a field: one value of each row, with its name and meaning. A field is defined once
 * for files, JSON, the reference, and the columns of a list.
 */

import { toJson } from "../json/exact.ts";
import { capital } from "./connection-words.ts";

/** The value of a field in CSV and TSV, and for sorting. Times are text in UTC. */
export type FieldValue = string | number | null;

/** A field of rows. A field that a column of the console shows has a text, a number or null. */
export interface Field<Row, Name extends string = string, Value = FieldValue> {
  readonly name: Name;
  readonly title: string;
  readonly type: string;
  readonly meaning: string;
  /** Returns the value of the field in JSON, or undefined if JSON leaves the field out. */
  readonly value: (row: Row) => Value;
  /** Returns the cell of CSV and TSV. Default: the value, as text. */
  text?(row: Row): unknown;
  /** The column of lists that draw the value as it is. Default: a list names the field itself. */
  readonly column?: FieldColumn;
}

/** A column of `width` cells. The column with the highest `drop` is left out first. */
interface FieldColumn {
  readonly width: number;
  readonly drop: number;
}

export type Fields<Row> = readonly Field<Row, string, unknown>[];

/** The name of a field, with its title if that is not the name in words. */
export type FieldName<Name extends string> = Name | readonly [name: Name, title: string];

/** Returns the name and the title of a field. `created_at` has the title "Created at". */
export function namedField<Name extends string>(named: FieldName<Name>) {
  if (typeof named !== "string") return { name: named[0], title: named[1] };
  return { name: named, title: capital(named.replaceAll("_", " ")) };
}

export function fieldsOf<Row>() {
  return <const Name extends string, Value = FieldValue>(
    named: FieldName<Name>,
    type: string,
    meaning: string,
    value: (row: Row) => Value,
    text?: (row: Row) => unknown,
  ): Field<Row, Name, Value> => ({
    ...namedField(named),
    type,
    meaning,
    value,
    ...(text === undefined ? {} : { text }),
  });
}

export function drawn<Of extends Field<never, string, unknown>>(
  field: Of,
  width: number,
  drop: number,
): Of {
  return { ...field, column: { width, drop } };
}

export function within<Row, Outer, Value>(
  field: Field<Row, string, Value>,
  rowIn: (outer: Outer) => Row,
): Field<Outer, string, Value> {
  const { value, text, ...words } = field;
  return {
    ...words,
    value: (outer) => value(rowIn(outer)),
    ...(text === undefined ? {} : { text: (outer: Outer) => text(rowIn(outer)) }),
  };
}

export function recordOf<Row>(fields: Fields<Row>, row: Row): Readonly<Record<string, unknown>> {
  return Object.fromEntries(fields.map(({ name, value }) => [name, value(row)]));
}

export function fieldCell<Row>({ value, text = value }: Field<Row, string, unknown>, row: Row) {
  return asCell(text(row));
}

/** Converts a value to a cell of CSV and TSV: texts are separated by blanks, objects are JSON. */
export function asCell(value: unknown): FieldValue {
  if (value === null || value === undefined) return null;
  if (typeof value === "string" || typeof value === "number") return value;
  return isTexts(value) ? value.join(" ") : toJson(value);
}

export function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((element) => typeof element === "string");
}
