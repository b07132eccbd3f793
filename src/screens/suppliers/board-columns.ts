import { type Column, column } from "../../components/list-screen/column.ts";
import type { Piece } from "../../components/text.tsx";
import { bar, spark } from "../../text/chart.ts";
import { padOrTruncate } from "../../text/width.ts";
import type { ShownSupplier } from "./board-words.ts";

const gap = 2;

const widths = { rate: 7, chart: 6 } as const;

type SupplierColumn = Column<ShownSupplier>;

/** A figure that is a cause for concern unless it is zero. */
function figure(
  id: "pending" | "gone" | "unknown" | "over",
  title: string,
  width: number,
  more: Partial<SupplierColumn> = {},
): SupplierColumn {
  return column(id, title, width, (row) => row[id], {
    ...{ align: "right", value: ({ figures }) => figures[id] },
    ...more,
  });
}

/** The columns of the board; the charts give way after the figures that are not always there. */
export function boardColumns(ascii: boolean): readonly SupplierColumn[] {
  const bad = (id: "gone" | "unknown") => (row: ShownSupplier) =>
    /[1-9]/.test(row[id]) ? "bad" : "plain";
  return [
    column("supplier", "  Supplier", 10, ({ sign, supplier }) => `${sign} ${supplier}`, {
      ...{ most: 26, field: "import_supplier", value: ({ supplier }) => supplier },
      pieces: ({ sign, signTone, supplier }, width) => [
        { text: `${sign} `, tone: signTone, bold: true },
        { text: padOrTruncate(supplier, width - 2, { ascii }) },
      ],
    }),
    column("bar", "Imported", 9, ({ percent }) => percent, {
      ...{ most: 30, gives: 0, picture: true },
      pieces: ({ share }, width) => [
        share === null
          ? { text: " ".repeat(width) }
          : { text: bar(share, width, ascii), tone: "ok" },
      ],
    }),
    column("percent", "%", 5, ({ percent }) => percent, {
      ...{ align: "right", field: "imported_share", value: ({ share }) => share },
    }),
    figure("pending", "Pending", 9, {
      tone: ({ pending }) => (/[1-9]/.test(pending) ? "waiting" : "plain"),
    }),
    paceColumn(ascii),
    column("oldest", "Oldest", 8, ({ oldest }) => oldest, {
      ...{ align: "right", field: "oldest_pending_since", value: ({ figures }) => figures.oldest },
    }),
    figure("gone", "Gone", 5, { gives: 1, tone: bad("gone") }),
    figure("unknown", "Unknown", 7, { gives: 2, tone: bad("unknown") }),
    figure("over", "Over 1 d", 9, { gives: 3, field: "pending_over_a_day" }),
    column("age", "Age", 7, ({ age }) => age, {
      ...{ gives: 4, align: "right", field: "listed_at", value: ({ figures }) => figures.listed },
    }),
    column("needs", "Needs you", 0, ({ needs }) => needs),
  ];
}

/** What is known, for a sentence; empty where a table has a dash. */
function known(text: string, unit = ""): string {
  return text === "–" ? "" : text + unit;
}

/** The columns of the linear board: every figure that is known, in words. */
export const linearColumns: readonly SupplierColumn[] = [
  spoken("Supplier", ({ supplier }) => supplier),
  spoken("needs you:", ({ needs }) => needs),
  spoken("last load failed:", ({ problem }) => problem),
  spoken("Pending", ({ pending }) => known(pending)),
  spoken("Imported", ({ percent }) => known(percent, " %")),
  spoken("last hour", ({ rate }) => known(rate)),
  spoken("finish in", ({ finish }) => known(finish)),
  spoken("oldest pending", ({ oldest }) => known(oldest)),
  spoken("figures of", ({ oldFigures }) => (oldFigures === "" ? "" : `${oldFigures} ago`)),
];

function spoken(title: string, text: SupplierColumn["text"]): SupplierColumn {
  return column(title.replaceAll(/[^a-z]/gi, "").toLowerCase(), title, 1, text);
}

/**
 * How fast it goes and when it may be done; where the last load failed, why, and how old the figures
 * are, in the same room.
 */
function paceColumn(ascii: boolean): SupplierColumn {
  const narrow = widths.rate + gap + 7;
  const width = widths.chart + 1 + widths.rate + gap + 8;
  const cells = (text: string, room: number) =>
    padOrTruncate(text, room, { align: "right", ascii });
  const beside = (chart: string, one: string, other: string, room: number) =>
    (room < width ? "" : `${padOrTruncate(chart, widths.chart, { ascii })} `) +
    cells(one, widths.rate) +
    " ".repeat(gap) +
    cells(other, room < width ? 7 : 8);
  const chartOf = (hours: string) =>
    hours === "" ? "" : spark(hours.split(" ").map(Number), ascii);
  const failure = ({ problem, oldFigures }: ShownSupplier, room: number): Piece[] => [
    {
      text: padOrTruncate(oldFigures === "" ? problem : `${problem}, ${oldFigures} old`, room, {
        ascii,
      }),
      tone: "bad",
    },
  ];
  return column(
    "rate",
    `6 h, last hour${" ".repeat(gap)}${cells("Finish", 8)}`,
    width,
    ({ rate: text, problem }) => (problem === "" ? text : problem),
    {
      ...{ least: narrow, short: ` Last h${" ".repeat(gap)} Finish`, field: "imported_per_hour" },
      value: ({ figures }) => figures.rate,
      pieces: (row, room) =>
        row.problem === ""
          ? [{ text: beside(chartOf(row.hours), row.rate, row.finish, room) }]
          : failure(row, room),
    },
  );
}
