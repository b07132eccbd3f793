import { type Column, column } from "../../components/column.ts";
import { type WordFilter, wordFilter } from "../../components/word-filter.ts";
import type { WatchRow } from "./watch-row.ts";

/** Widths in cells from which the next check, and separate kind, supplier and trouble, have room. */
const medium = 76;
const wide = 120;

/** The columns that fit; what it is called, its status and since when are always there. */
export function watchColumns(width: number, ascii: boolean): readonly Column<WatchRow>[] {
  const status: Column<WatchRow> = column(
    "status",
    "Status",
    19,
    ({ status }) => `${ascii ? status.asciiMark : status.mark} ${status.label}`,
    { tone: ({ status }) => status.tone },
  );
  const since: Column<WatchRow> = column("since", "Since", 18, (row) => row.since);
  const next: Column<WatchRow> = column("next", "Next check", 14, (row) => row.next, {
    tone: ({ watched }) => (watched.trouble === null ? "muted" : "bad"),
  });
  const number: Column<WatchRow> = column("number", "Watched", 0, ({ watched }) => watched.number);
  if (width < wide) {
    const short = { ...since, width: 12, text: (row: WatchRow) => row.sinceShort };
    const rest = width < medium ? [status, short] : [status, since, next];
    const room = roomFor(rest, width);
    const named = (row: WatchRow) => {
      const whole = targetText(row);
      return whole.length <= room ? whole : row.watched.number;
    };
    return [{ ...number, width: room, text: named }, ...rest];
  }
  const before: readonly Column<WatchRow>[] = [
    column("kind", "Kind", 12, ({ watched }) => kindText(watched.kind)),
    column("supplier", "Supplier", 12, ({ watched }) => watched.supplier),
  ];
  const after: readonly Column<WatchRow>[] = [
    status,
    since,
    next,
    column("checks", "Checks", 7, (row) => row.checks, { align: "right" }),
    column("failed", "Failed", 6, (row) => row.failed, { align: "right", tone: () => "bad" }),
  ];
  const trouble: Column<WatchRow> = column("trouble", "Trouble", 20, (row) => row.trouble, {
    tone: () => "bad",
  });
  const rest = width < wide + 20 ? after : [...after, trouble];
  return [...before, { ...number, width: roomFor([...before, ...rest], width) }, ...rest];
}

function roomFor(others: readonly Column<WatchRow>[], width: number): number {
  const used = others.reduce((sum, column) => sum + 2 + column.width, 4);
  return Math.max(10, Math.min(40, width - used));
}

/** As the palette takes it. */
function targetText({ watched }: WatchRow): string {
  const name = `${watched.supplier}/${watched.number}`;
  return watched.kind === "account" ? name : `sp ${name}`;
}

function kindText(kind: WatchRow["watched"]["kind"]): string {
  return kind === "account" ? "account" : "supply point";
}

/** Reads a filter text for watched subjects. */
export function watchFilter(text: string): WordFilter<WatchRow> {
  const columns = {
    kind: ({ watched }: WatchRow) => [kindText(watched.kind), watched.kind],
    supplier: ({ watched }: WatchRow) => [watched.supplier],
    ext: ({ watched }: WatchRow) => [watched.number],
    status: ({ watched, status }: WatchRow) => [
      status.label,
      watched.timeline.at(-1)?.state ?? null,
      watched.finality === "open" ? "open" : "final",
    ],
    since: (row: WatchRow) => [row.since],
    next: (row: WatchRow) => [row.next],
    svc: ({ watched }: WatchRow) => [watched.serviceNumber],
    trouble: (row: WatchRow) => [row.trouble],
  };
  return wordFilter<WatchRow>(text, columns, (row) => [
    targetText(row),
    ...Object.values(columns).flatMap((texts) => texts(row)),
  ]);
}
