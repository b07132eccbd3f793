/** Lays out parts of text in lines without breaking a part. */
import { widthOf } from "../text/width.ts";
import type { Piece } from "./text.tsx";

/** A part of a line. It is never broken over two lines. */
export type LinePart = readonly Piece[];

/**
 * Lays out parts side by side, `gap` cells apart. A part that does not fit starts the next line.
 */
export function partLines(
  parts: readonly LinePart[],
  width: number,
  gap = 3,
): readonly (readonly Piece[])[] {
  const lines: Piece[][] = [];
  let used = 0;
  for (const part of parts) {
    const cells = part.reduce((sum, { text }) => sum + widthOf(text), 0);
    const line = lines.at(-1);
    if (cells === 0) continue;
    if (line && used + gap + cells <= width) {
      line.push({ text: " ".repeat(gap) }, ...part);
      used += gap + cells;
    } else {
      lines.push([...part]);
      used = cells;
    }
  }
  return lines;
}
