import { Box } from "ink";
import { memo } from "react";
import { useLinear } from "../../hooks/window.tsx";
import { linearSigns } from "../../text/linear-signs.ts";
import { padOrTruncate, widthOf } from "../../text/width.ts";
import { type Tone, useTheme } from "../../theme.tsx";
import { Line, type Piece, SignedLine, samePieces } from "../text.tsx";
import type { Column } from "./column.ts";
import { matchPattern } from "./row-filter.ts";

/** The gap between two columns. The gap before the first column shows the sign of a change. */
const gap = "  ";

export const rowEdge = 2 + gap.length;

export interface TableRow<Row> {
  readonly id: string;
  readonly row: Row;
  readonly marked?: boolean;
  readonly changed?: "added" | "changed" | null;
}

interface TableProps<Row> {
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly TableRow<Row>[];
  /** The index of the row with the cursor, or -1 if it is not visible. */
  readonly cursor: number;
  readonly sort?: { readonly id: string | null; readonly descending: boolean };
  readonly width: number;
  readonly filter?: string;
  /** The position of the first row in its list, from 0. A linear table numbers the rows. */
  readonly first: number;
}

/**
 * Draws a line of titles, then the visible rows. Every line fits the width. A row is drawn again
 * only if its cells have changed.
 */
export function DataTable<Row>(props: TableProps<Row>) {
  const { columns, rows, cursor, width, filter = "" } = props;
  if (useLinear()) return <LinearTable {...props} />;
  const idCounts = new Map<string, number>();
  const patterns = columns.map(({ id }) => matchPattern(filter, id));
  return (
    <Box flexDirection="column" flexShrink={0}>
      <Titles {...props} />
      {rows.map((row, index) => {
        // A service can list an account twice, so the id alone might not be unique.
        const earlier = idCounts.get(row.id) ?? 0;
        idCounts.set(row.id, earlier + 1);
        return (
          <DataRow
            key={earlier === 0 ? row.id : `${row.id} ${earlier}`}
            pieces={rowPieces(row, columns, patterns)}
            selected={index === cursor}
            width={width}
          />
        );
      })}
    </Box>
  );
}

function Titles<Row>({ columns, sort }: TableProps<Row>) {
  const titles = columns.map((column): Piece => {
    const sorted = sort?.id === column.id;
    const sign = sorted ? `${sort?.descending ? "▼" : "▲"} ` : "";
    const isNarrow = widthOf(sign + column.title) > column.width;
    const text = sign + (isNarrow ? (column.short ?? column.title) : column.title);
    const { align = "left" } = column;
    return {
      text: gap + padOrTruncate(text, column.width, { align }),
      tone: "muted",
      bold: sorted,
    };
  });
  return <Line pieces={[{ text: "  " }, ...titles]} />;
}

function rowPieces<Row>(
  { row, marked, changed }: TableRow<Row>,
  columns: readonly Column<Row>[],
  patterns: readonly (RegExp | null)[],
): readonly Piece[] {
  const sign = changed === "added" ? "+" : changed === "changed" ? "~" : " ";
  const pieces: Piece[] = [{ text: marked ? "*" : " ", tone: "changed" }];
  for (const [index, column] of columns.entries()) {
    const cellTone: Tone = changed ? "changed" : (column.tone?.(row) ?? "plain");
    const before = index === 0 ? `${sign} ` : gap;
    if (column.pieces) {
      pieces.push({ text: before }, ...column.pieces(row, column.width));
      continue;
    }
    const { align = "left", width } = column;
    const text = padOrTruncate(column.text(row, width), width, { align });
    pieces.push(
      { text: before, tone: cellTone },
      ...matchPieces(text, cellTone, patterns[index] ?? null),
    );
  }
  return pieces;
}

function matchPieces(text: string, tone: Tone, pattern: RegExp | null): readonly Piece[] {
  if (pattern === null) return [{ text, tone }];
  const pieces: Piece[] = [];
  let from = 0;
  for (const { 0: match, index } of text.matchAll(pattern)) {
    pieces.push({ text: text.slice(from, index), tone }, { text: match, tone, bold: true });
    from = index + match.length;
  }
  return [...pieces, { text: text.slice(from), tone }];
}

interface DataRowProps {
  readonly pieces: readonly Piece[];
  readonly selected: boolean;
  readonly width: number;
}

/**
 * Draws a row. The row under the cursor has a background up to the right edge. Its cells keep their
 * colors.
 */
const DataRow = memo(
  function DataRow({ pieces, selected, width }: DataRowProps) {
    const { cursor: sign } = useTheme();
    const used = pieces.reduce((sum, { text }) => sum + widthOf(text), 1);
    const cursor: Piece = { text: selected ? sign : " " };
    const rest: Piece = { text: selected ? " ".repeat(Math.max(0, width - used)) : "" };
    return <Line pieces={[cursor, ...pieces, rest]} selected={selected} />;
  },
  (before, after) =>
    before.selected === after.selected &&
    before.width === after.width &&
    samePieces(before.pieces, after.pieces),
);

/** Shows the rows in words with their numbers, and the current row again at the end. */
function LinearTable<Row>({ columns, rows, cursor, sort, first }: TableProps<Row>) {
  const sorted = columns.find(({ id }) => id === sort?.id);
  const current = rows[cursor];
  return (
    <>
      {sorted ? (
        <Line
          pieces={[
            { text: `Sorted by ${sorted.title}${sort?.descending ? ", highest first" : ""}.` },
          ]}
        />
      ) : null}
      {rows.map((row, index) => (
        <Line key={row.id} pieces={[{ text: rowWords(row, columns, first + index) }]} />
      ))}
      {current ? (
        <SignedLine sign={linearSigns.current}>
          {rowWords(current, columns, first + cursor)}
        </SignedLine>
      ) : null}
    </>
  );
}

/**
 * Describes a row in words, such as `3. EXT-0000003, Service SA-3, State pending`. The first cell
 * has no label. `position` is the index of the row in its list.
 */
function rowWords<Row>(
  row: TableRow<Row>,
  columns: readonly Column<Row>[],
  position: number,
): string {
  const cells = columns.flatMap((column, index) => {
    const text = column.text(row.row, Number.POSITIVE_INFINITY).trim();
    // A column without a title only illustrates another column.
    if (text === "" || (index > 0 && column.title === "")) return [];
    return [index === 0 ? text : `${column.title} ${text}`];
  });
  const parts = [
    ...cells.slice(0, 1),
    ...(row.marked ? ["marked"] : []),
    ...(row.changed ? [row.changed === "added" ? "new" : "changed"] : []),
    ...cells.slice(1),
  ];
  return `${position + 1}. ${parts.join(", ")}`;
}
