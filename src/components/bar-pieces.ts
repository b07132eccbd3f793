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
 * Returns a bar of `width` cells: done, in doubt, failed, and the track. A single failure is
 * visible, however many rows there are.
 */
export function barPieces(amounts: BarAmounts, total: number, width: number): Piece[] {
  const cells = Math.max(0, Math.floor(width));
  const { done } = amounts;
  const [well = 0, ...troubled] = parts.map(({ name }) => amounts[name] ?? 0);
  if (troubled.every((amount) => amount === 0) || total <= 0) {
    const text = bar(total <= 0 ? 0 : done / total, cells);
    const filled = text.replace(/░+$/, "");
    return present([
      { text: filled, tone: "ok" },
      { text: text.slice(filled.length), tone: "muted" },
    ]);
  }
  const [, ...others] = [well, ...troubled].map((amount) =>
    amount === 0 ? 0 : Math.max(1, Math.floor((amount / total) * cells)),
  );
  const sum = troubled.reduce((all, amount) => all + amount, well);
  const used = sum >= total ? cells : Math.min(cells, Math.round((sum / total) * cells));
  const taken = others.reduce((all, size) => all + size, 0);
  // The done part fills the cells that the other parts leave free, so that no failure is hidden.
  const sizes = [well === 0 ? 0 : Math.max(0, used - taken), ...others];
  const drawn = parts.map(
    ({ tone, glyph }, at): Piece => ({ text: glyph.repeat(sizes[at] ?? 0), tone }),
  );
  const rest = cells - sizes.reduce((all, size) => all + size, 0);
  return cutTo([...drawn, { text: "░".repeat(Math.max(0, rest)), tone: "muted" }], cells);
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

function present(pieces: readonly Piece[]): Piece[] {
  return pieces.filter(({ text }) => text !== "").map((piece) => ({ ...piece, isBar: true }));
}

function cutTo(pieces: readonly Piece[], cells: number): Piece[] {
  let room = cells;
  return present(
    pieces.map((piece) => {
      const text = piece.text.slice(0, room);
      room -= text.length;
      return { ...piece, text };
    }),
  );
}
