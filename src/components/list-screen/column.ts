/** Defines the columns of a list, and fits them to the width of the table. */
import type { Field, FieldValue } from "../../text/fields.ts";
import { count } from "../../text/numbers.ts";
import { widest } from "../../text/width.ts";
import type { Tone } from "../../theme.tsx";
import type { Piece } from "../text.tsx";

/** A column of a list, for display, filters and sorting. Files and copies have the fields instead. */
export interface Column<Row> {
  /** The id, which is also the name of the column in a filter (`id:text`). */
  readonly id: string;
  readonly title: string;
  readonly short?: string;
  /** The width in cells. A column of width 0 is never drawn. */
  readonly width: number;
  /**
   * The minimum width in cells, used if the columns that stay do not fit. Default: the width.
   */
  readonly minWidth?: number;
  /** A larger width in cells, used if there is room for all of it. */
  readonly wider?: number;
  /**
   * The maximum width in cells. The column grows with its longest text. Default: it does not grow.
   */
  readonly maxWidth?: number;
  readonly fills?: true;
  /** The column with the highest number is left out first. Default: the column always stays. */
  readonly drop?: number;
  readonly align?: "left" | "right";
  readonly text: (row: Row, width: number) => string;
  readonly tone?: (row: Row) => Tone;
  /** Returns the cell as pieces of together `width` cells, which are drawn instead of the text. */
  readonly pieces?: (row: Row, width: number) => readonly Piece[];
  /**
   * True if the column only illustrates another column. It is not filtered or sorted by.
   */
  readonly picture?: true;
  /** Returns the value of a row for filters and sorting. Default: the text. */
  readonly value?: (row: Row) => FieldValue;
  /** The sort key of a row. Default: the value. */
  readonly sort?: (row: Row) => FieldValue;
  /** Returns further texts of the row that a filter compares. */
  readonly also?: (row: Row) => readonly (string | null)[];
  /** True if the text of the column names the row. Default: the first column with a text does. */
  readonly names?: true;
  /**
   * The function that returns the time of a row for `since:` and `age:` in a filter, and the
   * current time, both in epoch milliseconds.
   */
  readonly time?: { readonly at: (row: Row) => number; readonly now: number };
}

export function column<Row>(
  id: string,
  title: string,
  width: number,
  text: (row: Row, width: number) => string,
  more: Omit<Partial<Column<Row>>, "id" | "title" | "width" | "text"> = {},
): Column<Row> {
  return { id, title, width, text, ...more };
}

export function countColumn<Row>(
  id: string,
  title: string,
  width: number,
  of: (row: Row) => number | null,
  more: Omit<Partial<Column<Row>>, "id" | "title" | "width" | "value"> = {},
): Column<Row> {
  const text = (row: Row) => {
    const n = of(row);
    return n === null ? "–" : count(n);
  };
  return column(id, title, width, text, { align: "right", value: of, ...more });
}

export function fieldColumn<Row>(
  { value }: Pick<Field<Row>, "value">,
  id: string,
  title: string,
  width: number,
  more: Omit<Partial<Column<Row>>, "id" | "title" | "width"> = {},
): Column<Row> {
  const text = (row: Row) => String(value(row) ?? "");
  return { ...column(id, title, width, text, { value }), ...more };
}

/** Returns the columns of the fields that have one. Numbers are on the right, and null is `–`. */
export function drawnColumns<Row>(fields: readonly Field<Row>[]): readonly Column<Row>[] {
  return fields.flatMap((field) => {
    if (field.column === undefined) return [];
    const {
      name,
      title,
      type,
      value,
      column: { width, drop },
    } = field;
    const align = type.startsWith("number") ? "right" : "left";
    const text = (row: Row) => shownValue(value(row));
    return [fieldColumn(field, name, title, width, { text, drop, align })];
  });
}

function shownValue(value: FieldValue): string {
  return typeof value === "number" ? count(value) : (value ?? "–");
}

export function cellValue<Row>({ value, text }: Column<Row>, row: Row): FieldValue {
  return value === undefined ? text(row, Number.POSITIVE_INFINITY) : value(row);
}

/** The number of cells of the cursor and the mark, and of the gap before each column. */
const edge = 2;
const gap = 2;

/**
 * Returns the columns that fit into `width` cells, in their order and with their drawn width. If
 * there is too little room, columns are left out and then shrink. Otherwise they grow to their
 * longest texts, and one column fills the remaining room. `longest` has the width of the longest
 * text by column id. Default: each column grows to its maximum width.
 */
export function fitColumns<Row>(
  columns: readonly Column<Row>[],
  width: number,
  longest: Longest = new Map(),
): readonly Column<Row>[] {
  let shown = columns.filter((column) => column.width > 0);
  const freeCells = () => width - shown.reduce((sum, column) => sum + gap + column.width, edge);
  const resize = (column: Column<Row>, cells: number) => ({ ...column, width: cells });
  const optional = shown
    .filter(({ drop }) => drop !== undefined)
    .toSorted((a, b) => (b.drop ?? 0) - (a.drop ?? 0));
  for (const dropped of optional)
    if (freeCells() < 0) shown = shown.filter((column) => column !== dropped);
  for (const [index, column] of shown.entries()) {
    const { minWidth = column.width } = column;
    if (freeCells() < 0)
      shown = shown.with(index, resize(column, Math.max(minWidth, column.width + freeCells())));
  }
  for (const [index, column] of shown.entries()) {
    const { wider = column.width } = column;
    if (wider > column.width && wider - column.width <= freeCells())
      shown = shown.with(index, resize(column, wider));
  }
  const wanted = ({ id, maxWidth = 0 }: Column<Row>) =>
    Math.min(maxWidth, longest.get(id) ?? maxWidth);
  const canGrow = (column: Column<Row>) => column.width < wanted(column);
  while (freeCells() > 0 && shown.some(canGrow)) {
    const share = Math.ceil(freeCells() / shown.filter(canGrow).length);
    for (const [index, column] of shown.entries()) {
      const more = Math.min(share, freeCells(), wanted(column) - column.width);
      if (more > 0) shown = shown.with(index, resize(column, column.width + more));
    }
  }
  return shown.map((column) =>
    column.fills && freeCells() > 0 ? resize(column, column.width + freeCells()) : column,
  );
}

/** The width in cells of the longest text of each column that can grow, by column id. */
export type Longest = ReadonlyMap<string, number>;

export function longestTexts<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  before: Longest,
): Longest {
  return new Map(
    columns
      .filter(({ maxWidth }) => maxWidth !== undefined)
      .map(({ id, text }) => [
        id,
        Math.max(
          before.get(id) ?? 0,
          widest(rows.map((row) => text(row, Number.POSITIVE_INFINITY))),
        ),
      ]),
  );
}
