import type { Column } from "../../components/data-table.tsx";
import { type WordFilter, wordFilter } from "../../components/word-filter.ts";
import type { WatchRow } from "./watch-row.ts";

/** Widths in cells from which the next check, and separate kind, supplier and trouble, have room. */
const medium = 76;
const wide = 120;

/** The columns that fit; what it is called, its status and since when are always there. */
export function watchColumns(width: number, ascii: boolean): readonly Column<WatchRow>[] {
  const status: Column<WatchRow> = {
    id: "status",
    title: "Status",
    width: 19,
    text: ({ status }) => `${ascii ? status.asciiMark : status.mark} ${status.label}`,
    tone: ({ status }) => status.tone,
  };
  const since: Column<WatchRow> = {
    id: "since",
    title: "Since",
    width: 18,
    text: (row) => row.since,
  };
  const next: Column<WatchRow> = {
    id: "next",
    title: "Next check",
    width: 14,
    text: (row) => row.next,
    tone: ({ watched }) => (watched.trouble === null ? "muted" : "bad"),
  };
  const number: Column<WatchRow> = {
    id: "number",
    title: "Watched",
    width: 0,
    text: ({ watched }) => watched.number,
  };
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
    { id: "kind", title: "Kind", width: 12, text: ({ watched }) => kindText(watched.kind) },
    { id: "supplier", title: "Supplier", width: 12, text: ({ watched }) => watched.supplier },
  ];
  const after: readonly Column<WatchRow>[] = [
    status,
    since,
    next,
    { id: "checks", title: "Checks", width: 7, align: "right", text: (row) => row.checks },
    {
      id: "failed",
      title: "Failed",
      width: 6,
      align: "right",
      text: (row) => row.failed,
      tone: () => "bad",
    },
  ];
  const trouble: Column<WatchRow> = {
    id: "trouble",
    title: "Trouble",
    width: 20,
    text: (row) => row.trouble,
    tone: () => "bad",
  };
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
