import { Box } from "ink";
import { memo } from "react";
import { useLinear, useRoom } from "../hooks/window.tsx";
import { linearSigns } from "../text/linear-signs.ts";
import { padOrTruncate, widthOf } from "../text/width.ts";
import { type Tone, useTheme } from "../theme.tsx";
import type { Column } from "./column.ts";
import { Line, type Piece, SignedLine } from "./text.tsx";

/** Between two columns; before the first one it holds the sign of a change. */
const gap = "  ";

/** A row of the table with what the table itself must know about it. */
export interface TableRow<Row> {
  /** Identity: the cursor stays on it when rows move. */
  readonly id: string;
  readonly row: Row;
  readonly marked?: boolean;
  readonly changed?: "added" | "changed" | null;
}

/**
 * The visible slice of a list: a line of titles, then rows. Every line is made to fit exactly, and a
 * row is drawn again only when it has changed.
 */
export function DataTable<Row>(props: {
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly TableRow<Row>[];
  readonly cursor: string | null;
  readonly sort?: { readonly id: string; readonly descending: boolean };
  /** Cells; those of the room without it. */
  readonly width?: number;
  /** The position of the first row in its list, from 0, by which rows are numbered aloud. */
  readonly first?: number;
}) {
  const theme = useTheme();
  const linear = useLinear();
  const { columns: cells } = useRoom();
  const { width = cells } = props;
  if (linear) return <LinearTable {...props} />;
  const title: Piece[] = props.columns.map((column) => {
    const sorted = props.sort?.id === column.id;
    const arrow = props.sort?.descending ? theme.glyphs.down : theme.glyphs.up;
    const sign = sorted ? `${arrow} ` : "";
    const isNarrow = widthOf(sign + column.title) > column.width;
    const text = sign + (isNarrow ? (column.shortTitle ?? column.title) : column.title);
    return {
      text:
        gap +
        padOrTruncate(text, column.width, { align: column.align ?? "left", ascii: theme.ascii }),
      tone: "muted",
      bold: sorted,
    };
  });
  return (
    <Box flexDirection="column" flexShrink={0}>
      <Line pieces={[{ text: "  " }, ...title]} />
      {props.rows.map((row) => (
        <DataRow
          key={row.id}
          row={row}
          columns={props.columns as readonly Column<unknown>[]}
          selected={row.id === props.cursor}
          width={width}
        />
      ))}
    </Box>
  );
}

interface DataRowProps {
  readonly row: TableRow<unknown>;
  readonly columns: readonly Column<unknown>[];
  readonly selected: boolean;
  readonly width: number;
}

const DataRow = memo(function DataRow(props: DataRowProps) {
  const theme = useTheme();
  const { row } = props;
  const change = row.changed === "added" ? "+" : row.changed === "changed" ? "~" : " ";
  // Inverted, colored cells would tear the cursor's line into pieces.
  const look = (tone: Tone): Pick<Piece, "tone" | "inverse"> =>
    props.selected ? { tone: "plain", inverse: true } : { tone };
  const pieces: Piece[] = [
    { text: props.selected ? theme.glyphs.cursor : " ", tone: "accent" },
    { text: row.marked ? theme.glyphs.mark : " ", ...look("changed") },
  ];
  for (const column of props.columns) {
    const own: Tone = row.changed ? "changed" : (column.tone?.(row.row) ?? "plain");
    const before = pieces.length === 2 ? `${change} ` : gap;
    if (column.pieces) {
      pieces.push({ text: before, ...look("plain") }, ...column.pieces(row.row));
      continue;
    }
    const text = padOrTruncate(column.text(row.row), column.width, {
      align: column.align ?? "left",
      ascii: theme.ascii,
    });
    pieces.push({ text: before + text, ...look(own) });
  }
  const used = pieces.reduce((sum, piece) => sum + widthOf(piece.text), 0);
  if (props.selected)
    pieces.push({ text: " ".repeat(Math.max(0, props.width - used)), ...look("plain") });
  return <Line pieces={pieces} />;
}, looksTheSame);

/** A list that was read again has new row objects with the same texts: they need no new drawing. */
function looksTheSame(one: DataRowProps, other: DataRowProps): boolean {
  if (one.columns !== other.columns || one.width !== other.width) return false;
  if (one.selected !== other.selected) return false;
  const { row: was, ...wasAround } = one.row;
  const { row: is, ...isAround } = other.row;
  return saysTheSame(wasAround, isAround) && saysTheSame(was, is);
}

/** Whether two values, or every field of two objects, are the same. */
function saysTheSame(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== "object" || typeof other !== "object" || !one || !other) return false;
  const fields = Object.entries(one);
  return (
    fields.length === Object.keys(other).length &&
    fields.every(([name, value]) => Object.is(value, Reflect.get(other, name)))
  );
}

/** The rows of a list in words, numbered by their place in it, and last the one with the cursor. */
function LinearTable<Row>(props: {
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly TableRow<Row>[];
  readonly cursor: string | null;
  readonly sort?: { readonly id: string; readonly descending: boolean };
  readonly first?: number;
}) {
  const { columns, rows, sort, first = 0 } = props;
  const sorted = columns.find(({ id }) => id === sort?.id);
  const at = rows.findIndex(({ id }) => id === props.cursor);
  const current = rows[at];
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
        <SignedLine sign={linearSigns.current}>{rowWords(current, columns, first + at)}</SignedLine>
      ) : null}
    </>
  );
}

/** `3. EXT-0000003, Service SA-3, State pending`: what the first cell is called goes without saying. */
function rowWords<Row>(row: TableRow<Row>, columns: readonly Column<Row>[], at: number): string {
  const cells = columns.flatMap((column, index) => {
    const text = column.text(row.row).trim();
    // A column without a name is a picture of what another one says.
    if (text === "" || (index > 0 && column.title === "")) return [];
    return [index === 0 ? text : `${column.title} ${text}`];
  });
  const said = [
    ...cells.slice(0, 1),
    ...(row.marked ? ["marked"] : []),
    ...(row.changed ? [row.changed === "added" ? "new" : "changed"] : []),
    ...cells.slice(1),
  ];
  return `${at + 1}. ${said.join(", ")}`;
}
