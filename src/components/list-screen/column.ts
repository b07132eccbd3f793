import type { Tone } from "../../theme.tsx";
import type { Piece } from "../text.tsx";

/** A value as it is written to files and as rows are sorted by it: times in UTC. */
export type Value = string | number | null;

/** A column of a list: what is shown, copied, exported, filtered and sorted by. */
export interface Column<Row> {
  /** Also its name in a filter (`id:text`). */
  readonly id: string;
  readonly title: string;
  /** The title in a column that is too narrow for the other one. */
  readonly short?: string;
  /** Cells that it takes at least. */
  readonly width: number;
  /** Larger widths that are worth having, ascending; each is taken where there is room for it. */
  readonly wider?: readonly number[];
  /** Takes what is left over, up to this many cells. */
  readonly most?: number;
  /** Where there is too little room, the column with the highest number is left out first. Default: it stays. */
  readonly gives?: number;
  readonly align?: "left" | "right";
  /** The text in a cell of `width` cells; a longer text is cut. */
  readonly text: (row: Row, width: number) => string;
  readonly tone?: (row: Row) => Tone;
  /** Draws the cell in `width` cells in place of the text. */
  readonly pieces?: (row: Row, width: number) => readonly Piece[];
  /** Shows in a picture what another column says: not written, filtered or sorted by. */
  readonly picture?: true;
  /** Default: the text. */
  readonly value?: (row: Row) => Value;
  /** The key of its order. Default: the value. */
  readonly sort?: (row: Row) => Value;
  /** Further texts that a filter finds. */
  readonly also?: (row: Row) => readonly (string | null)[];
  /** The name in files. Default: the id. */
  readonly field?: string;
}

/** A column with these cells; `more` is what few columns have. */
export function column<Row>(
  id: string,
  title: string,
  width: number,
  text: (row: Row, width: number) => string,
  more: Omit<Partial<Column<Row>>, "id" | "title" | "width" | "text"> = {},
): Column<Row> {
  return { id, title, width, text, ...more };
}

/** The value of a cell. */
export function cellValue<Row>({ value, text }: Column<Row>, row: Row): Value {
  return value === undefined ? text(row, Number.POSITIVE_INFINITY) : value(row);
}

/** Cells of the cursor and the mark, and before each column. */
const edge = 2;
const gap = 2;

/**
 * Returns the columns that fit into `width` cells, in their order and as wide as they are drawn.
 * Columns give way first; then those with wider forms grow; what is left goes to those that stretch.
 */
export function fitColumns<Row>(
  columns: readonly Column<Row>[],
  width: number,
): readonly Column<Row>[] {
  const shown = columns.filter((one) => one.width > 0);
  const taken = () => shown.reduce((sum, one) => sum + gap + one.width, edge);
  const giving = shown
    .filter(({ gives }) => gives !== undefined)
    .toSorted((one, other) => (other.gives ?? 0) - (one.gives ?? 0));
  for (const one of giving) {
    if (taken() <= width) break;
    shown.splice(shown.indexOf(one), 1);
  }
  const widths = new Map(shown.map((one) => [one, one.width]));
  let left = width - taken();
  const grow = (one: Column<Row>, to: number) => {
    const more = to - (widths.get(one) ?? 0);
    if (more <= 0 || more > left) return;
    widths.set(one, to);
    left -= more;
  };
  const steps = Math.max(0, ...shown.map(({ wider = [] }) => wider.length));
  for (let step = 0; step < steps; step++) {
    for (const one of shown) grow(one, one.wider?.[step] ?? 0);
  }
  let stretching = shown.filter(({ most = 0 }) => most > 0);
  while (left > 0 && stretching.length > 0) {
    const share = Math.ceil(left / stretching.length);
    for (const one of stretching) {
      const now = widths.get(one) ?? 0;
      grow(one, Math.min(one.most ?? 0, now + Math.min(share, left)));
    }
    stretching = stretching.filter((one) => (widths.get(one) ?? 0) < (one.most ?? 0));
  }
  return shown.map((one) => ({ ...one, width: widths.get(one) ?? one.width }));
}
