import type { Watched } from "../../watch/watched.ts";
import type { WatchRow } from "./watch-row.ts";

/** What the rows can be sorted by, in the order of the keys; `attention` is how it begins. */
export const watchOrders = ["attention", "number", "status", "since"] as const;
export type WatchOrder = (typeof watchOrders)[number];

/**
 * The rows in an order: `attention` puts what has ended badly first, then what has ended well, then
 * what is open, each with the latest change first. Rows that are alike stay as they were added.
 */
export function inOrder(
  rows: readonly WatchRow[],
  order: WatchOrder,
  descending: boolean,
): readonly WatchRow[] {
  const compare = comparisons[order];
  return rows.toSorted((a, b) => (descending ? compare(b, a) : compare(a, b)));
}

const text = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

const comparisons: Readonly<Record<WatchOrder, (a: WatchRow, b: WatchRow) => number>> = {
  attention: ({ watched: a }, { watched: b }) => rank(a) - rank(b) || changedAt(b) - changedAt(a),
  number: ({ watched: a }, { watched: b }) =>
    text(a.supplier, b.supplier) || text(a.number, b.number) || text(a.kind, b.kind),
  status: (a, b) =>
    text(a.status.label, b.status.label) || changedAt(b.watched) - changedAt(a.watched),
  since: ({ watched: a }, { watched: b }) => changedAt(b) - changedAt(a),
};

function rank({ finality }: Watched): number {
  return finality === "ended" ? 0 : finality === "reached" ? 1 : 2;
}

/** A state that was there at the first look has not been seen to change. */
function changedAt({ timeline, addedAt }: Watched): number {
  return timeline.length > 1 ? (timeline.at(-1)?.firstSeenAt ?? addedAt) : addedAt;
}
