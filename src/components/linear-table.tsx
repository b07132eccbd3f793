import { linearSigns } from "../text/linear-signs.ts";
import { Line, SignedLine } from "./text.tsx";

/** What of a column is said. */
interface Column<Row> {
  readonly id: string;
  readonly title: string;
  readonly text: (row: Row) => string;
}

interface TableRow<Row> {
  readonly id: string;
  readonly row: Row;
  readonly marked?: boolean;
  readonly changed?: "added" | "changed" | null;
}

/** The rows of a list in words, numbered by their place in it, and last the one with the cursor. */
export function LinearTable<Row>(props: {
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
