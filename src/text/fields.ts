/**
 * The type of a field: one value of each row, with its name and meaning. A field is defined once
 * for files, JSON, the reference, and the columns of a list.
 */

/** The value of a field in JSON, in files, and for sorting. Times are text in UTC. */
export type FieldValue = string | number | null;

/** A field of rows. Its value is a list only if no list of the console shows it. */
export interface Field<Row, Name extends string = string, Value = FieldValue> {
  /** The key in JSON, and the title in CSV and TSV. */
  readonly name: Name;
  /** The title in a table. */
  readonly title: string;
  /** The type of the JSON value, in the words of the reference. */
  readonly type: string;
  /** The meaning of the field, in one sentence for the reference. */
  readonly meaning: string;
  /** Returns the value of the field in a row. */
  readonly value: (row: Row) => Value;
}

/** Creates a function that creates fields of one kind of row. */
export function fieldsOf<Row>() {
  return <const Name extends string, Value = FieldValue>(
    name: Name,
    title: string,
    type: string,
    meaning: string,
    value: (row: Row) => Value,
  ): Field<Row, Name, Value> => ({ name, title, type, meaning, value });
}

/** Returns the field of rows that contain the rows of a field. */
export function within<Row, Outer>(field: Field<Row>, rowIn: (outer: Outer) => Row): Field<Outer> {
  return { ...field, value: (outer) => field.value(rowIn(outer)) };
}

/** Returns the values of a row by the names of these fields. */
export function recordOf<Row>(
  fields: readonly Field<Row, string, unknown>[],
  row: Row,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(fields.map(({ name, value }) => [name, value(row)]));
}
