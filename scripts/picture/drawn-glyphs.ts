/**
 * Characters that must meet their neighbours without a gap: fonts differ in how they draw these, so
 * the picture draws them itself, as shapes in the unit square of one cell.
 */

/** A filled part of the cell. */
export interface Block {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly opacity: number;
}

const corners = {
  upperLeft: { x: 0, y: 0, width: 0.5, height: 0.5, opacity: 1 },
  upperRight: { x: 0.5, y: 0, width: 0.5, height: 0.5, opacity: 1 },
  lowerLeft: { x: 0, y: 0.5, width: 0.5, height: 0.5, opacity: 1 },
  lowerRight: { x: 0.5, y: 0.5, width: 0.5, height: 0.5, opacity: 1 },
};
const { upperLeft, upperRight, lowerLeft, lowerRight } = corners;

/** U+2596 to U+259F. */
const quadrants: readonly (readonly Block[])[] = [
  [lowerLeft],
  [lowerRight],
  [upperLeft],
  [upperLeft, lowerLeft, lowerRight],
  [upperLeft, lowerRight],
  [upperLeft, upperRight, lowerLeft],
  [upperLeft, upperRight, lowerRight],
  [upperRight],
  [upperRight, lowerLeft],
  [upperRight, lowerLeft, lowerRight],
];

/** The filled parts of a block character (U+2580 to U+259F); null for any other. */
export function blocksOf(character: string): readonly Block[] | null {
  const code = character.codePointAt(0) ?? 0;
  const whole = { x: 0, y: 0, width: 1, height: 1, opacity: 1 };
  if (code === 0x2580) return [{ ...whole, height: 0.5 }];
  if (code >= 0x2581 && code <= 0x2588) {
    const height = (code - 0x2580) / 8;
    return [{ ...whole, y: 1 - height, height }];
  }
  if (code >= 0x2589 && code <= 0x258f) return [{ ...whole, width: (0x2590 - code) / 8 }];
  if (code === 0x2590) return [{ ...whole, x: 0.5, width: 0.5 }];
  if (code >= 0x2591 && code <= 0x2593) return [{ ...whole, opacity: (code - 0x2590) / 4 }];
  if (code === 0x2594) return [{ ...whole, height: 1 / 8 }];
  if (code === 0x2595) return [{ ...whole, x: 7 / 8, width: 1 / 8 }];
  return quadrants[code - 0x2596] ?? null;
}

/** The sides of the cell that a line reaches from its middle, and its weight. */
export interface Lines {
  readonly sides: string;
  readonly weight: number;
  readonly rounded: boolean;
}

const light = "─lr │ud ┌rd ┐ld └ru ┘lu ├udr ┤udl ┬lrd ┴lru ┼lrud ╴l ╵u ╶r ╷d";
const heavy = "━lr ┃ud ┏rd ┓ld ┗ru ┛lu ┣udr ┫udl ┳lrd ┻lru ╋lrud ╸l ╹u ╺r ╻d";
const round = "╭rd ╮ld ╰ru ╯lu";

function table(entries: string, weight: number, rounded: boolean): [string, Lines][] {
  return entries
    .split(" ")
    .map((entry) => [entry.charAt(0), { sides: entry.slice(1), weight, rounded }]);
}

const lines: ReadonlyMap<string, Lines> = new Map([
  ...table(light, 1, false),
  ...table(heavy, 2, false),
  ...table(round, 1, true),
]);

/** Returns the course of a line-drawing character through its cell, or null for any other. */
export function linesOf(character: string): Lines | null {
  return lines.get(character) ?? null;
}
