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
  /** The title in a column that is too narrow for the other one. */
  readonly short?: string;
  /** Cells; a column of none is never drawn. */
  readonly width: number;
  /**
   * Minimum width, used if there is too little room for the columns that stay. Default: the width.
   */
  readonly least?: number;
  /** The width of a wider form, used if there is room for all of it. */
  readonly wider?: number;
  /** Grows with its longest text, up to this many cells. */
  readonly most?: number;
  /** True if the column takes the remaining room. */
  readonly fills?: true;
  /** The column with the highest number is left out first if there is too little room. Default: it stays. */
  readonly gives?: number;
  readonly align?: "left" | "right";
  /** The text in a cell of `width` cells; a longer text is cut. */
  readonly text: (row: Row, width: number) => string;
  readonly tone?: (row: Row) => Tone;
  /** Draws the cell in `width` cells in place of the text. */
  readonly pieces?: (row: Row, width: number) => readonly Piece[];
  /** True for a picture of another column's content. It is not exported, filtered or sorted by. */
  readonly picture?: true;
  /** Default: the text. */
  readonly value?: (row: Row) => FieldValue;
  /** The key of its order. Default: the value. */
  readonly sort?: (row: Row) => FieldValue;
  /** Further texts that a filter finds. */
  readonly also?: (row: Row) => readonly (string | null)[];
  /** The name in files. Default: the id. */
  readonly field?: string;
  /** The time of a row, for `since:` and `age:` in a filter; both times are epoch milliseconds. */
  readonly time?: { readonly at: (row: Row) => number; readonly now: number };
}

/** Creates a column with these cells. `more` has the rare properties. */
export function column<Row>(
  id: string,
  title: string,
  width: number,
  text: (row: Row, width: number) => string,
  more: Omit<Partial<Column<Row>>, "id" | "title" | "width" | "text"> = {},
): Column<Row> {
  return { id, title, width, text, ...more };
}

/** Creates a column of numbers. Null stands for an unknown number. */
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

/** A column with the name and the values of a field; its text is the value, unless `more` has one. */
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

/** The value of a cell. */
export function cellValue<Row>({ value, text }: Column<Row>, row: Row): FieldValue {
  return value === undefined ? text(row, Number.POSITIVE_INFINITY) : value(row);
}

/** Cells of the cursor and the mark, and before each column. */
const edge = 2;
const gap = 2;

/**
 * Returns the columns that fit into `width` cells, in their order and with their drawn width. If
 * there is too little room, columns are left out and then shrink. Otherwise they grow to their
 * longest texts (`longest` has the cells by ID; default: the maximum), and one takes the remaining
 * room.
 */
export function fitColumns<Row>(
  columns: readonly Column<Row>[],
  width: number,
  longest: Longest = new Map(),
): readonly Column<Row>[] {
  let shown = columns.filter((one) => one.width > 0);
  const left = () => width - shown.reduce((sum, one) => sum + gap + one.width, edge);
  const resize = (one: Column<Row>, cells: number) => ({ ...one, width: cells });
  const giving = shown
    .filter(({ gives }) => gives !== undefined)
    .toSorted((one, other) => (other.gives ?? 0) - (one.gives ?? 0));
  for (const one of giving) if (left() < 0) shown = shown.filter((other) => other !== one);
  for (const [at, one] of shown.entries()) {
    const { least = one.width } = one;
    if (left() < 0) shown = shown.with(at, resize(one, Math.max(least, one.width + left())));
  }
  for (const [at, one] of shown.entries()) {
    const { wider = one.width } = one;
    if (wider > one.width && wider - one.width <= left())
      shown = shown.with(at, resize(one, wider));
  }
  const wanted = ({ id, most = 0 }: Column<Row>) => Math.min(most, longest.get(id) ?? most);
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

/** The cells of the longest text of each column that can grow, by its ID. */
export type Longest = ReadonlyMap<string, number>;

/** Measures these rows; a column stays as wide as it was for the rows `before`. */
export function longestTexts<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  before: Longest,
): Longest {
  return new Map(
    columns
      .filter(({ most }) => most !== undefined)
      .map(({ id, text }) => [
        id,
        Math.max(
          before.get(id) ?? 0,
          widest(rows.map((row) => text(row, Number.POSITIVE_INFINITY))),
        ),
      ]),
  );
}
