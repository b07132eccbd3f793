/** Formats tables as plain text and as Markdown, for the output of commands. */
import { safe } from "./sanitize.ts";
import { padOrTruncate, truncate, widthOf } from "./width.ts";

export interface TableColumn {
  readonly title: string;
  readonly align?: "left" | "right" | undefined;
  /**
   * True for cells with a comma-separated list. In a narrow column the list has several lines, and
   * none of its items is cut. Default: false.
   */
  readonly isList?: boolean | undefined;
}

const GAP = "  ";

/**
 * Lowers the widths, widest first, until their sum fits into `room`. No width falls below its
 * minimum in `minimums`.
 */
function fitWidths(widths: readonly number[], minimums: readonly number[], room: number): number[] {
  let cap = Math.max(1, ...widths);
  const lowered = (width: number, at: number, limit: number) =>
    Math.max(minimums[at] ?? 1, Math.min(width, limit));
  const total = (limit: number) =>
    widths.reduce((sum, width, at) => sum + lowered(width, at, limit), 0);
  while (cap > 1 && total(cap) > room) cap--;
  let spareCells = room - total(cap);
  return widths.map((width, at) => {
    if (width <= cap || (minimums[at] ?? 1) > cap) return lowered(width, at, cap);
    const extra = spareCells > 0 ? 1 : 0;
    spareCells -= extra;
    return cap + extra;
  });
}

/**
 * Formats a table as plain text: a line of titles, then the rows, with two spaces between columns
 * and no spaces at the end of a line. Every cell is made safe. With `maxWidth` (cells) the widest
 * columns are cut first, and no line is wider. All rows are in memory, so a list of a million rows
 * needs another format.
 */
export function textTable(
  columns: readonly TableColumn[],
  rows: readonly (readonly string[])[],
  options: { readonly maxWidth?: number | undefined; readonly ascii?: boolean | undefined } = {},
): string[] {
  const lines = [columns.map((column) => column.title), ...rows].map((cells) =>
    columns.map((_, at) => safe(cells[at] ?? "")),
  );
  const fullWidths = columns.map(() => 0);
  for (const cells of lines) {
    for (const [at, cell] of cells.entries()) {
      fullWidths[at] = Math.max(fullWidths[at] ?? 0, widthOf(cell));
    }
  }
  const { maxWidth, ascii } = options;
  const room = maxWidth === undefined ? null : maxWidth - GAP.length * (columns.length - 1);
  const minimums = columns.map(({ isList }, at) =>
    isList ? Math.max(...lines.flatMap((cells) => itemsOf(cells[at] ?? "").map(widthOf))) : 1,
  );
  const widths = room === null ? fullWidths : fitWidths(fullWidths, minimums, room);
  return lines.flatMap((cells) => {
    const cellLines = cells.map((cell, at) =>
      columns[at]?.isList ? listLines(cell, widths[at] ?? 0) : [cell],
    );
    const height = Math.max(1, ...cellLines.map(({ length }) => length));
    return Array.from({ length: height }, (_, row) => {
      const line = cellLines
        .map((texts, at) =>
          padOrTruncate(texts[row] ?? "", widths[at] ?? 0, { align: columns[at]?.align, ascii }),
        )
        .join(GAP)
        .trimEnd();
      return maxWidth === undefined ? line : truncate(line, maxWidth, { ascii });
    });
  });
}

function itemsOf(text: string): readonly string[] {
  return text.split(/(?<=,) /u);
}

function listLines(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const item of itemsOf(text)) {
    const last = lines.at(-1);
    const joined = last === undefined ? item : `${last} ${item}`;
    if (last === undefined || widthOf(joined) > width) lines.push(item);
    else lines[lines.length - 1] = joined;
  }
  return lines;
}

/** Returns the lines of a Markdown table. Every cell is made safe. */
export function markdownTable(
  titles: readonly string[],
  rows: readonly (readonly string[])[],
): readonly string[] {
  const line = (cells: readonly string[]) => `| ${cells.map(markdownText).join(" | ")} |`;
  return [line(titles), `|${titles.map(() => " --- |").join("")}`, ...rows.map(line)];
}

/** Returns a text with Markdown's signs escaped, on one line and safe for a terminal. */
export function markdownText(text: string): string {
  return safe(text).replace(/[\\|<>&~*_`[\]]/g, "\\$&");
}
