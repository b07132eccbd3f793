/** Draws progress bars as colored pieces of text. */
import type { RunCounts } from "../bulk/run-record.ts";
import { bar } from "../text/chart.ts";
import type { Tone } from "../theme.tsx";
import type { Piece } from "./text.tsx";

/** The amounts in a bar. The rest of the bar is its empty track. */
interface BarAmounts {
  readonly done: number;
  readonly inDoubt?: number;
  readonly failed?: number;
}

/** The parts of a bar. Each has a unique color and a unique glyph. */
const parts: readonly {
  readonly tone: Tone;
  readonly glyph: string;
  readonly name: keyof BarAmounts;
}[] = [
  { tone: "ok", glyph: "█", name: "done" },
  { tone: "waiting", glyph: "▓", name: "inDoubt" },
  { tone: "bad", glyph: "▒", name: "failed" },
];

/**
 * Returns a bar of `width` cells: done, in doubt, failed, and the track. An amount in doubt or
 * failed fills at least one cell, so that a single failure is visible.
 */
export function barPieces(amounts: BarAmounts, total: number, width: number): Piece[] {
  const cells = Math.max(0, Math.floor(width));
  const { done } = amounts;
  const problems = [amounts.inDoubt ?? 0, amounts.failed ?? 0];
  if (problems.every((amount) => amount === 0) || total <= 0) {
    const text = bar(total <= 0 ? 0 : done / total, cells);
    const filled = text.replace(/░+$/, "");
    return barParts([
      { text: filled, tone: "ok" },
      { text: text.slice(filled.length), tone: "muted" },
    ]);
  }
  const problemCells = problems.map((amount) =>
    amount === 0 ? 0 : Math.max(1, Math.floor((amount / total) * cells)),
  );
  const sum = problems.reduce((all, amount) => all + amount, done);
  const filledCells = sum >= total ? cells : Math.min(cells, Math.round((sum / total) * cells));
  const problemSum = problemCells.reduce((all, size) => all + size, 0);
  // The done part uses the filled cells that remain, so that no failure is hidden.
  const sizes = [done === 0 ? 0 : Math.max(0, filledCells - problemSum), ...problemCells];
  const drawn = parts.map(
    ({ tone, glyph }, index): Piece => ({ text: glyph.repeat(sizes[index] ?? 0), tone }),
  );
  const rest = cells - sizes.reduce((all, size) => all + size, 0);
  return cutBar([...drawn, { text: "░".repeat(Math.max(0, rest)), tone: "muted" }], cells);
}

/** Returns the bar of a run by the outcomes of its rows. */
export function runBar(counts: RunCounts, rows: number, width: number): Piece[] {
  const { confirmed, exists, closed, unknown, retryable, rejected } = counts;
  const amounts = {
    done: confirmed + exists + closed,
    inDoubt: unknown + retryable,
    failed: rejected,
  };
  return barPieces(amounts, rows, width);
}

/** Returns the pieces that have cells, marked as parts of a bar. */
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
