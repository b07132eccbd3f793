/**
 * The type of a field: one value of each row, with its name and meaning. A field is defined once
 * for files, JSON, the reference, and the columns of a list.
 */

/** The value of a field in JSON, in files, and for sorting. Times are text in UTC. */
export type FieldValue = string | number | null;

/** A field of rows. */
export interface Field<Row, Name extends string = string> {
  /** The key in JSON, and the title in CSV and TSV. */
  readonly name: Name;
  /** The title in a table. */
  readonly title: string;
  /** The type of the JSON value, in the words of the reference. */
  readonly type: string;
  /** The meaning of the field, in one sentence for the reference. */
  readonly meaning: string;
  /** Returns the value of the field in a row. */
  readonly value: (row: Row) => FieldValue;
}

/** Creates a field. */
export function field<Row, const Name extends string>(
  name: Name,
  title: string,
  type: string,
  meaning: string,
  value: (row: Row) => FieldValue,
): Field<Row, Name> {
  return { name, title, type, meaning, value };
}

/** Returns the values of a row by the names of these fields. */
export function recordOf<Row, Name extends string>(
  fields: readonly Field<Row, Name>[],
  row: Row,
): Readonly<Record<Name, FieldValue>> {
  const values = fields.map(({ name, value }) => [name, value(row)] as const);
  return Object.fromEntries(values) as Record<Name, FieldValue>;
}
