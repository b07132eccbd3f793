import { type Column, column } from "../../components/column.ts";
import type { Piece } from "../../components/text.tsx";
import { bar, spark } from "../../text/chart.ts";
import { padOrTruncate } from "../../text/width.ts";
import type { ShownSupplier } from "./board-words.ts";

/** Cells of the cursor and the mark, and before each column. */
const edge = 2;
const gap = 2;
/** Below this width there is no room for the bar and the chart of the last hours. */
const withCharts = 78;

const widths = { percent: 5, pending: 9, rate: 7, oldest: 8, chart: 6 } as const;
const narrowBar = 9;
const widestBar = 30;
const narrowName = 10;
const widestName = 26;

type SupplierColumn = Column<ShownSupplier>;

/** The columns of the board in `width` cells, most important first. */
export function boardColumns(width: number, ascii: boolean): readonly SupplierColumn[] {
  const charts = width >= withCharts;
  const fixed: SupplierColumn[] = [
    column("percent", "%", widths.percent, ({ percent }) => percent, { align: "right" }),
    column("pending", "Pending", widths.pending, ({ pending }) => pending, {
      align: "right",
      tone: ({ pending }) => (/[1-9]/.test(pending) ? "waiting" : "plain"),
    }),
    paceColumn(charts, ascii),
    column("oldest", "Oldest", widths.oldest, ({ oldest }) => oldest, { align: "right" }),
  ];
  const room = width - edge - gap - (charts ? gap + narrowBar : 0) - narrowName;
  let left = room - fixed.reduce((sum, column) => sum + gap + column.width, 0);
  for (const column of extraColumns) {
    if (left < gap + column.width) continue;
    fixed.push(column);
    left -= gap + column.width;
  }
  const forName = Math.max(0, Math.min(widestName - narrowName, charts ? left >> 1 : left));
  const forBar = Math.max(0, Math.min(widestBar - narrowBar, left - forName));
  return [
    nameColumn(narrowName + forName, ascii),
    ...(charts ? [barColumn(narrowBar + forBar, ascii)] : []),
    ...fixed,
  ];
}

/** Shown where there is room, in this order. */
const extraColumns: readonly SupplierColumn[] = [
  column("gone", "Gone", 5, ({ gone }) => gone, {
    align: "right",
    tone: ({ gone }) => (/[1-9]/.test(gone) ? "bad" : "plain"),
  }),
  column("unknown", "Unknown", 7, ({ unknown }) => unknown, {
    align: "right",
    tone: ({ unknown }) => (/[1-9]/.test(unknown) ? "bad" : "plain"),
  }),
  column("over", "Over 1 d", 9, ({ overADay }) => overADay, { align: "right" }),
  column("age", "Age", 7, ({ age }) => age, { align: "right" }),
];

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
  return column(title, title, 0, text);
}

function nameColumn(width: number, ascii: boolean): SupplierColumn {
  return column("name", "  Supplier", width, ({ sign, supplier }) => `${sign} ${supplier}`, {
    pieces: ({ sign, signTone, supplier }) => [
      { text: `${sign} `, tone: signTone, bold: true },
      { text: padOrTruncate(supplier, width - 2, { ascii }) },
    ],
  });
}

function barColumn(width: number, ascii: boolean): SupplierColumn {
  return column("bar", "Imported", width, ({ percent }) => percent, {
    pieces: ({ share }) => [
      share === null ? { text: " ".repeat(width) } : { text: bar(share, width, ascii), tone: "ok" },
    ],
  });
}

/**
 * How fast it goes and when it may be done; where the last load failed, why, and how old the figures
 * are, in the same room.
 */
function paceColumn(charts: boolean, ascii: boolean): SupplierColumn {
  const finishWidth = charts ? 8 : 7;
  const width = (charts ? widths.chart + 1 : 0) + widths.rate + gap + finishWidth;
  const rate = (text: string) => padOrTruncate(text, widths.rate, { align: "right", ascii });
  const finish = (text: string) => padOrTruncate(text, finishWidth, { align: "right", ascii });
  const beside = (chart: string, one: string, other: string) =>
    (charts ? `${padOrTruncate(chart, widths.chart, { ascii })} ` : "") +
    rate(one) +
    " ".repeat(gap) +
    finish(other);
  const chartOf = (hours: string) =>
    hours === "" ? "" : spark(hours.split(" ").map(Number), ascii);
  const failure = ({ problem, oldFigures }: ShownSupplier): Piece[] => [
    {
      text: padOrTruncate(oldFigures === "" ? problem : `${problem}, ${oldFigures} old`, width, {
        ascii,
      }),
      tone: "bad",
    },
  ];
  return column(
    "pace",
    charts ? `6 h, last hour${" ".repeat(gap)}${finish("Finish")}` : beside("", "Last h", "Finish"),
    width,
    ({ rate: text }) => text,
    {
      pieces: (row) =>
        row.problem === ""
          ? [{ text: beside(chartOf(row.hours), row.rate, row.finish) }]
          : failure(row),
    },
  );
}
