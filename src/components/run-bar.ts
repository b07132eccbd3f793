import type { RunCounts } from "../bulk/run-record.ts";
import { bar } from "../text/chart.ts";
import type { Tone } from "../theme.tsx";
import type { Piece } from "./text.tsx";

/** How rows that ended are drawn: each kind in a color and a glyph that no other has. */
const kinds: readonly {
  readonly tone: Tone;
  readonly glyph: string;
  readonly ascii: string;
  readonly names: readonly (keyof RunCounts)[];
}[] = [
  { tone: "ok", glyph: "█", ascii: "#", names: ["confirmed", "exists", "closed"] },
  { tone: "waiting", glyph: "▓", ascii: "?", names: ["unknown", "retryable"] },
  { tone: "bad", glyph: "▒", ascii: "x", names: ["rejected"] },
];

/**
 * The bar of a run, `width` cells: what went well, what is in doubt, what was rejected, and what is
 * left. One row that did not go well shows, however many there are.
 */
export function runBar(counts: RunCounts, rows: number, width: number, ascii: boolean): Piece[] {
  const cells = Math.max(0, Math.floor(width));
  const amounts = kinds.map(({ names }) => names.reduce((sum, name) => sum + counts[name], 0));
  const [well = 0, ...troubled] = amounts;
  if (troubled.every((amount) => amount === 0) || rows <= 0) {
    return [{ text: bar(rows <= 0 ? 0 : well / rows, cells, ascii), tone: "ok" }];
  }
  const sizes = amounts.map((amount) =>
    amount === 0 ? 0 : Math.max(1, Math.floor((amount / rows) * cells)),
  );
  const done = amounts.reduce((sum, amount) => sum + amount, 0);
  const used = done >= rows ? cells : Math.min(cells, Math.round((done / rows) * cells));
  const others = sizes.slice(1).reduce((sum, size) => sum + size, 0);
  // The good rows take what the others leave: they are many, and a cell less does not hide them.
  sizes[0] = well === 0 ? 0 : Math.max(0, used - others);
  const drawn = kinds.map(
    ({ tone, glyph, ascii: letter }, at): Piece => ({
      text: (ascii ? letter : glyph).repeat(sizes[at] ?? 0),
      tone,
    }),
  );
  const taken = sizes.reduce((sum, size) => sum + size, 0);
  const rest = (ascii ? "-" : "░").repeat(Math.max(0, cells - taken));
  return cutTo([...drawn, { text: rest, tone: "muted" }], cells);
}

function cutTo(pieces: readonly Piece[], cells: number): Piece[] {
  let room = cells;
  return pieces.flatMap((piece) => {
    const text = piece.text.slice(0, room);
    room -= text.length;
    return text === "" ? [] : [{ ...piece, text }];
  });
}
