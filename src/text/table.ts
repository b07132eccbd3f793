import { safe } from "./sanitise.ts";
import { fit, truncate, widthOf } from "./width.ts";

export interface TableColumn {
  readonly title: string;
  readonly align?: "left" | "right" | undefined;
}

const GAP = "  ";

/** The widths lowered, widest first, until they fit in `room` together; none below one. */
function squeeze(widths: readonly number[], room: number): number[] {
  let cap = Math.max(1, ...widths);
  const total = (limit: number) => widths.reduce((sum, width) => sum + Math.min(width, limit), 0);
  while (cap > 1 && total(cap) > room) cap--;
  let spare = room - total(cap);
  return widths.map((width) => {
    if (width <= cap) return width;
    const more = spare > 0 ? 1 : 0;
    spare -= more;
    return cap + more;
  });
}

/**
 * A table as plain text: a line of titles, then a line a row, columns two spaces apart, no spaces at
 * the end of a line. Every cell is made safe. With `maxWidth` (cells) the widest columns are cut
 * first and no line is wider. Meant for what a command prints at once, not for a list of a million.
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
  const widths = room === null ? natural : squeeze(natural, room);
  return lines.map((cells) => {
    const line = cells
      .map((cell, at) => fit(cell, widths[at] ?? 0, { align: columns[at]?.align, ascii }))
      .join(GAP)
      .trimEnd();
    return maxWidth === undefined ? line : truncate(line, maxWidth, { ascii });
  });
}
