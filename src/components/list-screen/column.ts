import type { Field, FieldValue } from "../../text/fields.ts";
import { count } from "../../text/numbers.ts";
import { widest } from "../../text/width.ts";
import type { Tone } from "../../theme.tsx";
import type { Piece } from "../text.tsx";

/** A column of a list, for display, copying, export, filtering and sorting. */
export interface Column<Row> {
  /** The id, which is also the name of the column in a filter (`id:text`). */
  readonly id: string;
  readonly title: string;
  /** The title if the column is too narrow for `title`. */
  readonly short?: string;
  /** The width in cells. A column of width 0 is never drawn. */
  readonly width: number;
  /**
   * Minimum width, used if there is too little room for the columns that stay. Default: the width.
   */
  readonly minWidth?: number;
  /** The width of a wider form, used if there is room for all of it. */
  readonly wider?: number;
  /**
   * The maximum width in cells. The column grows with its longest text. Default: it does not grow.
   */
  readonly maxWidth?: number;
  /** True if the column takes the remaining room. */
  readonly fills?: true;
  /** The column with the highest number is left out first if there is too little room. Default: it stays. */
  readonly drop?: number;
  readonly align?: "left" | "right";
  /** Returns the text of a cell of `width` cells. A longer text is cut. */
  readonly text: (row: Row, width: number) => string;
  readonly tone?: (row: Row) => Tone;
  /** Draws the cell in `width` cells in place of the text. */
  readonly pieces?: (row: Row, width: number) => readonly Piece[];
  /**
   * True if the column only illustrates another column. It is not exported, filtered or sorted by.
   */
  readonly picture?: true;
  /** Returns the value of a row for files, filters and sorting. Default: the text. */
  readonly value?: (row: Row) => FieldValue;
  /** The sort key of a row. Default: the value. */
  readonly sort?: (row: Row) => FieldValue;
  /** Returns further texts that a filter finds. */
  readonly also?: (row: Row) => readonly (string | null)[];
  /** The name in files. Default: the id. */
  readonly field?: string;
  /**
   * The time of a row, for `since:` and `age:` in a filter, and the current time, both in epoch
   * milliseconds.
   */
  readonly time?: { readonly at: (row: Row) => number; readonly now: number };
}

/** Creates a column. `more` has the rarely used properties. */
export function column<Row>(
  id: string,
  title: string,
  width: number,
  text: (row: Row, width: number) => string,
  more: Omit<Partial<Column<Row>>, "id" | "title" | "width" | "text"> = {},
): Column<Row> {
  return { id, title, width, text, ...more };
}

/** Creates a column of numbers. A number is null if it is unknown. */
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

/**
 * Creates a column with the name and the values of a field. Its text is the value, unless `more`
 * has a text.
 */
export function fieldColumn<Row>(
  { name, value }: Field<Row>,
  id: string,
  title: string,
  width: number,
  more: Omit<Partial<Column<Row>>, "id" | "title" | "width"> = {},
): Column<Row> {
  const text = (row: Row) => String(value(row) ?? "");
  return { ...column(id, title, width, text, { field: name, value }), ...more };
}

/** Returns the value of a cell. */
export function cellValue<Row>({ value, text }: Column<Row>, row: Row): FieldValue {
  return value === undefined ? text(row, Number.POSITIVE_INFINITY) : value(row);
}

/** The cells of the cursor and the mark, and of the gap before each column. */
const edge = 2;
const gap = 2;

/**
 * Returns the columns that fit into `width` cells, in their order and with their drawn width. If
 * there is too little room, columns are left out and then shrink. Otherwise they grow to their
 * longest texts, and one takes the remaining room. `longest` has the cells of the longest texts by
 * column id. Default: the maximum of each column.
 */
export function fitColumns<Row>(
  columns: readonly Column<Row>[],
  width: number,
  longest: Longest = new Map(),
): readonly Column<Row>[] {
  let shown = columns.filter((one) => one.width > 0);
  const left = () => width - shown.reduce((sum, one) => sum + gap + one.width, edge);
  const resize = (one: Column<Row>, cells: number) => ({ ...one, width: cells });
  const optional = shown
    .filter(({ drop }) => drop !== undefined)
    .toSorted((one, other) => (other.drop ?? 0) - (one.drop ?? 0));
  for (const one of optional) if (left() < 0) shown = shown.filter((other) => other !== one);
  for (const [at, one] of shown.entries()) {
    const { minWidth = one.width } = one;
    if (left() < 0) shown = shown.with(at, resize(one, Math.max(minWidth, one.width + left())));
  }
  for (const [at, one] of shown.entries()) {
    const { wider = one.width } = one;
    if (wider > one.width && wider - one.width <= left())
      shown = shown.with(at, resize(one, wider));
  }
  const wanted = ({ id, maxWidth = 0 }: Column<Row>) =>
    Math.min(maxWidth, longest.get(id) ?? maxWidth);
  const canGrow = (one: Column<Row>) => one.width < wanted(one);
  while (left() > 0 && shown.some(canGrow)) {
    const share = Math.ceil(left() / shown.filter(canGrow).length);
    for (const [at, one] of shown.entries()) {
      const more = Math.min(share, left(), wanted(one) - one.width);
      if (more > 0) shown = shown.with(at, resize(one, one.width + more));
    }
  }
  return shown.map((one) => (one.fills && left() > 0 ? resize(one, one.width + left()) : one));
}

/** The cells of the longest text of each column that can grow, by its id. */
export type Longest = ReadonlyMap<string, number>;

/** Measures the texts of `rows`. A column does not become narrower than in `before`. */
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
