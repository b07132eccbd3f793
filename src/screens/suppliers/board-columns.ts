/** The columns of the suppliers screen, which is also called the board. */
import { barPieces } from "../../components/bar-pieces.ts";
import { type Column, column, fieldColumn } from "../../components/list-screen/column.ts";
import type { Piece } from "../../components/text.tsx";
import { sparkline } from "../../text/chart.ts";
import { type Field, within } from "../../text/fields.ts";
import { padOrTruncate, widest } from "../../text/width.ts";
import type { Tone } from "../../theme.tsx";
import { figureFields, type SupplierFacts } from "../../triage/figures/figure-fields.ts";
import type { ShownSupplier } from "./board-words.ts";

const gap = "  ";

const widths = { chart: 6, rate: 6 } as const;

/**
 * The normal and the minimum width of a bar in cells. Other columns are left out before the bar
 * becomes narrower than normal.
 */
const bar = { width: 10, minWidth: 6 } as const;

type SupplierColumn = Column<ShownSupplier>;

const of = (field: Field<SupplierFacts>) => within(field, ({ line }: ShownSupplier) => line);

export const supplierFields = Object.values(figureFields).map(of);

const { supplier, rate, listedAt } = figureFields;

const fieldBy = {
  pending: figureFields.pending,
  oldest: figureFields.oldest,
  gone: figureFields.gone,
  unknown: figureFields.unknown,
  over: figureFields.overADay,
} as const;

function figure(
  id: keyof typeof fieldBy,
  title: string,
  width: number,
  tone: Tone,
  more: Partial<SupplierColumn> = {},
): SupplierColumn {
  return fieldColumn(of(fieldBy[id]), id, title, width, {
    text: (row) => row[id],
    align: "right",
    tone: () => tone,
    ...more,
  });
}

export function boardColumns(rows: readonly ShownSupplier[]): readonly SupplierColumn[] {
  const widthIfUsed = (id: "oldest" | "gone" | "unknown" | "over" | "oldFigures", width: number) =>
    rows.some((row) => row[id] !== "") ? width : 0;
  return [
    fieldColumn(of(supplier), "supplier", "  Supplier", 10, {
      text: ({ sign, supplier }) => `${sign} ${supplier}`,
      maxWidth: 26,
      pieces: ({ sign, signTone, supplier }, width) => [
        { text: `${sign} `, tone: signTone, bold: true },
        { text: padOrTruncate(supplier, width - 2) },
      ],
    }),
    column("bar", "Imported", bar.width, ({ percent }) => percent, {
      short: "",
      minWidth: bar.minWidth,
      fills: true,
      picture: true,
      pieces: ({ bar: amounts }, width) =>
        amounts === null || amounts.total === 0
          ? [{ text: " ".repeat(width) }]
          : barPieces(amounts, amounts.total, width, "line"),
    }),
    column("percent", "%", 5, ({ percent }) => percent, {
      align: "right",
      value: ({ share }) => share,
    }),
    figure("pending", "Pending", 7, "plain", { maxWidth: 9 }),
    figure("oldest", "Oldest", widthIfUsed("oldest", 8), "plain", { drop: 2 }),
    figure("gone", "Gone", widthIfUsed("gone", 4), "bad", { drop: 3 }),
    figure("unknown", "Unknown", widthIfUsed("unknown", 7), "unknown", { drop: 4 }),
    figure("over", "Over 1 d", widthIfUsed("over", 8), "plain", { drop: 5 }),
    paceColumn(Math.max(4, widest(rows.map(({ finish }) => finish)))),
    fieldColumn(of(listedAt), "age", "Figures of", widthIfUsed("oldFigures", 10), {
      text: ({ oldFigures }) => agoText(oldFigures),
      drop: 6,
    }),
    column("needs", "Needs you", 0, ({ needs }) => needs),
  ];
}

function agoText(age: string): string {
  return age === "" ? "" : `${age} ago`;
}

/**
 * Returns a known figure for a sentence with its unit, or an empty text if the figure is unknown.
 */
function knownText(text: string, unit = ""): string {
  return text === "–" ? "" : text + unit;
}

export const linearColumns: readonly SupplierColumn[] = [
  linearColumn("Supplier", ({ supplier }) => supplier),
  linearColumn("needs you:", ({ needs }) => needs),
  linearColumn("last load failed:", ({ problem }) => problem),
  linearColumn("Pending", ({ pending }) => knownText(pending)),
  linearColumn("Imported", ({ percent }) => knownText(percent, " %")),
  linearColumn("last hour", ({ rate }) => knownText(rate)),
  linearColumn("finish in", ({ finish }) => knownText(finish)),
  linearColumn("oldest pending", ({ oldest }) => knownText(oldest)),
  linearColumn("figures of", ({ oldFigures }) => agoText(oldFigures)),
];

function linearColumn(title: string, text: SupplierColumn["text"]): SupplierColumn {
  return column(title.replaceAll(/[^a-z]/gi, "").toLowerCase(), title, 1, text);
}

/**
 * Returns the column with the imports of the last hours, their rate, and the remaining time in
 * `leftWidth` cells. If the load failed, it shows the cause and the age of the figures.
 */
function paceColumn(leftWidth: number): SupplierColumn {
  const minPaceWidth = widths.rate + gap.length + leftWidth;
  const width = widths.chart + gap.length + minPaceWidth;
  const right = (text: string) => padOrTruncate(text, widths.rate, { align: "right" });
  const paceText = (chart: string, rate: string, left: string, room: number) => {
    const before = room < width ? "" : padOrTruncate(chart, widths.chart) + gap;
    return padOrTruncate(`${before}${right(rate)}${gap}${left}`, room);
  };
  const failure = ({ problem, oldFigures }: ShownSupplier, room: number): Piece[] => [
    {
      text: padOrTruncate(oldFigures === "" ? problem : `${problem}, ${oldFigures} old`, room),
      tone: "bad",
    },
  ];
  return fieldColumn(of(rate), "rate", paceText("6 h", "per h", "Left", width), width, {
    text: ({ rate, problem }) => (problem === "" ? rate : problem),
    minWidth: minPaceWidth,
    short: paceText("", "per h", "Left", minPaceWidth),
    pieces: (row, room) =>
      row.problem === ""
        ? [
            {
              text: paceText(
                row.hours.length === 0 ? "" : sparkline(row.hours),
                row.rate,
                row.finish,
                room,
              ),
            },
          ]
        : failure(row, room),
  });
}
