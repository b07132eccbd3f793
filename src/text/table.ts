/** Formats tables as plain text and as Markdown, for the output of commands. */
import { safe } from "./sanitize.ts";
import { padOrTruncate, truncate, widthOf } from "./width.ts";

export interface TableColumn {
  readonly title: string;
  readonly align?: "left" | "right" | undefined;
  /**
   * True for a cell with a comma-separated list. In a narrow column the list continues on more
   * lines, and none of its parts is cut. Default: false.
   */
  readonly parts?: boolean | undefined;
}

const GAP = "  ";

/**
 * Lowers the widths, widest first, until their sum fits into `room`. No width falls below its
 * minimum in `least`.
 */
function squeeze(widths: readonly number[], least: readonly number[], room: number): number[] {
  let cap = Math.max(1, ...widths);
  const lowered = (width: number, at: number, limit: number) =>
    Math.max(least[at] ?? 1, Math.min(width, limit));
  const total = (limit: number) =>
    widths.reduce((sum, width, at) => sum + lowered(width, at, limit), 0);
  while (cap > 1 && total(cap) > room) cap--;
  let spare = room - total(cap);
  return widths.map((width, at) => {
    if (width <= cap || (least[at] ?? 1) > cap) return lowered(width, at, cap);
    const more = spare > 0 ? 1 : 0;
    spare -= more;
    return cap + more;
  });
}

/**
 * Formats a table as plain text: a line of titles, then the rows, with two spaces between columns
 * and no spaces at the end of a line. Every cell is made safe. With `maxWidth` (cells) the widest
 * columns are cut first, and no line is wider. All rows are in memory, so it is not for a list of a
 * million rows.
 */
export function textTable(
  columns: readonly TableColumn[],
  rows: readonly (readonly string[])[],
  options: { readonly maxWidth?: number | undefined; readonly ascii?: boolean | undefined } = {},
): string[] {
  const lines = [columns.map((column) => column.title), ...rows].map((cells) =>
    columns.map((_, at) => safe(cells[at] ?? "")),
  );
  const natural = columns.map(() => 0);
  for (const cells of lines) {
    for (const [at, cell] of cells.entries()) {
      natural[at] = Math.max(natural[at] ?? 0, widthOf(cell));
    }
  }
  const { maxWidth, ascii } = options;
  const room = maxWidth === undefined ? null : maxWidth - GAP.length * (columns.length - 1);
  const least = columns.map(({ parts }, at) =>
    parts ? Math.max(...lines.flatMap((cells) => partsOf(cells[at] ?? "").map(widthOf))) : 1,
  );
  const widths = room === null ? natural : squeeze(natural, least, room);
  return lines.flatMap((cells) => {
    const stacks = cells.map((cell, at) =>
      columns[at]?.parts ? stacked(cell, widths[at] ?? 0) : [cell],
    );
    const height = Math.max(1, ...stacks.map(({ length }) => length));
    return Array.from({ length: height }, (_, level) => {
      const line = stacks
        .map((stack, at) =>
          padOrTruncate(stack[level] ?? "", widths[at] ?? 0, { align: columns[at]?.align, ascii }),
        )
        .join(GAP)
        .trimEnd();
      return maxWidth === undefined ? line : truncate(line, maxWidth, { ascii });
    });
  });
}

/** Returns the parts of a list, each with its comma. */
function partsOf(text: string): readonly string[] {
  return text.split(/(?<=,) /u);
}

/** Arranges the parts of a list in lines, as many in a line as fit. */
function stacked(text: string, width: number): readonly string[] {
  const stack: string[] = [];
  for (const part of partsOf(text)) {
    const last = stack.at(-1);
    const joined = last === undefined ? part : `${last} ${part}`;
    if (last === undefined || widthOf(joined) > width) stack.push(part);
    else stack[stack.length - 1] = joined;
  }
  return stack;
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
