/** Draws progress bars as colored pieces of text. */
import type { RunCounts } from "../bulk/run-record.ts";
import { bar, lineBar } from "../text/chart.ts";
import type { Tone } from "../theme.tsx";
import type { Piece } from "./text.tsx";

interface BarAmounts {
  readonly done: number;
  readonly inDoubt?: number;
  readonly failed?: number;
}

/**
 * The shape of a bar: lines in the rows of a list, which never touch the rows around them, and
 * `solid` for the one large bar of a screen.
 */
export type BarShape = "line" | "solid";

const shapes: Readonly<
  Record<BarShape, Readonly<Record<keyof BarAmounts | "track", string>> & { readonly gap: number }>
> = {
  line: { done: "━", inDoubt: "━", failed: "━", track: "─", gap: 1 },
  solid: { done: "█", inDoubt: "▓", failed: "▒", track: "░", gap: 0 },
};

/** The tone of each part. In a line, only the color and the gap distinguish the parts. */
const tones: Readonly<Record<keyof BarAmounts, Tone>> = {
  done: "ok",
  inDoubt: "waiting",
  failed: "bad",
};

/**
 * Returns a bar of `width` cells: done, in doubt, failed, and the track. An amount in doubt or
 * failed fills at least one cell, so that a single failure is visible.
 */
export function barPieces(
  { done, inDoubt = 0, failed = 0 }: BarAmounts,
  total: number,
  width: number,
  shape: BarShape,
): Piece[] {
  const cells = Math.max(0, Math.floor(width));
  const { track, gap } = shapes[shape];
  const problems = (
    [
      ["inDoubt", inDoubt],
      ["failed", failed],
    ] as const
  ).filter(([, amount]) => amount > 0);
  if (problems.length === 0 || total <= 0) {
    const draw = shape === "line" ? lineBar : bar;
    return filledParts(draw(total <= 0 ? 0 : done / total, cells), shape, "ok");
  }
  const sized = problems.map(([name, amount]) => ({
    name,
    size: Math.max(1, Math.floor((amount / total) * cells)),
  }));
  const sum = done + inDoubt + failed;
  const filledCells = sum >= total ? cells : Math.min(cells, Math.round((sum / total) * cells));
  const problemCells = sized.reduce((all, { size }) => all + size + gap, 0);
  // The done part uses the filled cells that remain, so that no failure is hidden.
  const doneCells = done === 0 ? 0 : Math.max(0, filledCells - problemCells);
  const drawn: Piece[] = [{ text: shapes[shape].done.repeat(doneCells), tone: "ok" }];
  for (const { name, size } of sized) {
    // A gap needs something before it.
    if (drawn.some(({ text }) => text !== "")) drawn.push({ text: " ".repeat(gap) });
    drawn.push({ text: shapes[shape][name].repeat(size), tone: tones[name] });
  }
  const rest = cells - drawn.reduce((all, { text }) => all + text.length, 0);
  return cutBar([...drawn, { text: track.repeat(Math.max(0, rest)), tone: "muted" }], cells);
}

/** Returns the line of a share in a row, in the color of the row's state. */
export function shareBar(share: number, width: number, tone: Tone): Piece[] {
  return filledParts(lineBar(share, width), "line", tone);
}

function filledParts(text: string, shape: BarShape, tone: Tone): Piece[] {
  const filled = text.replaceAll(shapes[shape].track, "");
  return barParts([
    { text: filled, tone },
    { text: text.slice(filled.length), tone: "muted" },
  ]);
}

export function runBar(counts: RunCounts, rows: number, width: number, shape: BarShape): Piece[] {
  const { confirmed, exists, closed, unknown, retryable, rejected } = counts;
  const amounts = {
    done: confirmed + exists + closed,
    inDoubt: unknown + retryable,
    failed: rejected,
  };
  return barPieces(amounts, rows, width, shape);
}

function barParts(pieces: readonly Piece[]): Piece[] {
  return pieces.filter(({ text }) => text !== "").map((piece) => ({ ...piece, isBar: true }));
}

function cutBar(pieces: readonly Piece[], cells: number): Piece[] {
  let room = cells;
  return barParts(
    pieces.map((piece) => {
      const text = piece.text.slice(0, room);
      room -= text.length;
      return { ...piece, text };
    }),
  );
}
