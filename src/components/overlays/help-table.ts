import { padOrTruncate, truncate, widthOf } from "../../text/width.ts";
import type { Piece } from "../text.tsx";

/** A line of the key table: a title, a key with its label, or nothing. */
export interface TableEntry {
  readonly key: Piece;
  readonly label: Piece;
  readonly isTitle: boolean;
}

/** Two keys of an action are shown where they take this many cells at most. */
export const mostKeyCells = 8;

const gap = 2;

const blank: TableEntry = { key: { text: "" }, label: { text: "" }, isTitle: false };

export function titleEntry(title: string): TableEntry {
  return { key: { text: title, tone: "title" }, label: { text: "" }, isTitle: true };
}

export function keyEntry(name: string, label: string, isOff: boolean): TableEntry {
  return {
    key: { text: name, bold: true },
    label: { text: label, ...(isOff ? { tone: "muted" as const } : {}) },
    isTitle: false,
  };
}

/** Draws stacks of entries beside each other; a label is cut only where the room ends. */
export function drawTable(
  stacks: readonly (readonly TableEntry[])[],
  columns: number,
): readonly (readonly Piece[])[] {
  const keyWidths = stacks.map((stack) => cells(stack.map(keyText)) + gap);
  const widths = widthsOf(stacks, keyWidths, columns);
  const height = Math.max(...stacks.map((stack) => stack.length));
  return Array.from({ length: height }, (_, row) =>
    stacks.flatMap((stack, at) => {
      const [width = 0, keyWidth = 0] = [widths[at], keyWidths[at]];
      const { key, label, isTitle } = stack[row] ?? blank;
      if (isTitle) return padded(key, width);
      const labelWidth = Math.max(0, width - keyWidth - gap);
      return [
        ...padded(key, keyWidth),
        { ...label, text: padOrTruncate(label.text, labelWidth) + " ".repeat(gap) },
      ];
    }),
  );
}

/** Blanks without a style need not be written. */
function padded(piece: Piece, width: number): readonly Piece[] {
  const text = truncate(piece.text, width);
  return [{ ...piece, text }, { text: " ".repeat(Math.max(0, width - widthOf(text))) }];
}

/** A title takes the room of the labels as well. */
function keyText({ key, isTitle }: TableEntry): string {
  return isTitle ? "" : key.text;
}

/** Returns the cells of each stack: what is spare is divided, what is too much taken from the widest. */
function widthsOf(
  stacks: readonly (readonly TableEntry[])[],
  keyWidths: readonly number[],
  columns: number,
): readonly number[] {
  const widths = stacks.map((stack, at) => {
    const labels = cells(stack.map(({ label }) => label.text)) + (keyWidths[at] ?? 0) + gap;
    return Math.max(labels, cells(stack.map(({ key }) => key.text)));
  });
  const sum = () => widths.reduce((all, width) => all + width, 0);
  while (sum() > columns) {
    const widest = widths.indexOf(Math.max(...widths));
    widths[widest] = (widths[widest] ?? 1) - 1;
  }
  const spare = Math.floor((columns - sum()) / widths.length);
  return widths.map((width) => width + spare);
}

function cells(texts: readonly string[]): number {
  return Math.max(0, ...texts.map(widthOf));
}
