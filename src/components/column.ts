import type { Tone } from "../theme.tsx";
import type { Piece } from "./text.tsx";

/** A column of fixed width: nothing is ever measured over all rows. */
export interface Column<Row> {
  readonly id: string;
  readonly title: string;
  /** The title of a column that is too narrow for the other one. */
  readonly shortTitle?: string;
  /** Cells. */
  readonly width: number;
  readonly align?: "left" | "right";
  readonly text: (row: Row) => string;
  /** For a cell drawn in blocks: pieces as wide as the column, alike in the cursor's line and outside. */
  readonly pieces?: (row: Row) => readonly Piece[];
  readonly tone?: (row: Row) => Tone;
}

/** A column with these cells; `more` is what few columns have. */
export function column<Row>(
  id: string,
  title: string,
  width: number,
  text: (row: Row) => string,
  more: Omit<Partial<Column<Row>>, "id" | "title" | "width" | "text"> = {},
): Column<Row> {
  return { id, title, width, text, ...more };
}
