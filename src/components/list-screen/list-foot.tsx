import { useLinear, useRoom } from "../../hooks/window.tsx";
import { count, plural } from "../../text/numbers.ts";
import { fittingParts, Line, type Piece, partGap } from "../text.tsx";
import type { RowNoun } from "./row-files.ts";
import type { List } from "./use-list.ts";

/**
 * A piece of the last line of a list. If there is too little room, the highest `drop` is left out
 * first. A piece with 0 always stays.
 */
export interface FootPart {
  readonly piece: Piece;
  readonly drop: number;
}

export function footPart(drop: number, text: string, tone: NonNullable<Piece["tone"]>): FootPart {
  return { piece: { text, tone }, drop };
}

/**
 * Returns the position in a list, and the numbers of matching and of marked rows: `3 of 300`, or
 * with a filter `row 3` and `40 of 300 match`. A linear list has no position here, because each of
 * its rows begins with its number.
 */
export function positionParts(
  list: Pick<List<unknown>, "position" | "length" | "total" | "filter" | "marks">,
  { linear, noun }: { readonly linear: boolean; readonly noun: RowNoun },
): readonly FootPart[] {
  const { length, total, filter, marks } = list;
  const row = length === 0 ? 0 : list.position + 1;
  const isFiltered = filter.text.trim() !== "";
  const hidden = marks.count === 0 ? 0 : marks.hidden;
  return [
    ...(isFiltered
      ? [
          footPart(0, linear || row === 0 ? "" : `row ${count(row)}`, "plain"),
          footPart(0, `${count(length)} of ${count(total)} match`, "plain"),
        ]
      : [
          footPart(
            0,
            linear ? plural(total, ...noun) : `${count(row)} of ${count(total)}`,
            "plain",
          ),
        ]),
    footPart(1, filter.isWorking ? (isFiltered ? "filtering…" : "sorting…") : "", "busy"),
    footPart(
      0,
      marks.count === 0
        ? ""
        : `${count(marks.count)} marked${hidden === 0 ? "" : `, ${count(hidden)} not shown`}`,
      "changed",
    ),
  ];
}

export function FootLine(props: { readonly parts: readonly FootPart[] }) {
  const room = useRoom();
  const shown = fittingParts(props.parts, useLinear() ? Number.MAX_SAFE_INTEGER : room.columns);
  return (
    <Line
      pieces={shown.flatMap(({ piece }, index) =>
        index === 0 ? [piece] : [{ text: partGap }, piece],
      )}
    />
  );
}
