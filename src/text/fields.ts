/** The value of a field in JSON, in files, and in the order of rows. Times are text in UTC. */
export type FieldValue = string | number | null;

/** A field of rows, described once: for files, JSON, the reference, and the columns of a list. */
export interface Field<Row, Name extends string = string> {
  /** The key of JSON, and the title of CSV and TSV. */
  readonly name: Name;
  /** The title of a table. */
  readonly title: string;
  /** The type of its JSON value, in the words of the reference. */
  readonly type: string;
  /** Its meaning, in one sentence of the reference. */
  readonly meaning: string;
  readonly value: (row: Row) => FieldValue;
}

/** Describes a field. */
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
