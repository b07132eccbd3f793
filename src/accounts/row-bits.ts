import { blockRows } from "./columns.ts";

/** Rows of one block as bits, 32 to a word: the first row is the lowest bit of the first word. */
export type RowBits = Uint32Array;

/** Words of a {@link RowBits}. */
export const bitWords = blockRows / 32;

/** How many bits of a word are set. */
export function bitsIn(word: number): number {
  let bits = word - ((word >>> 1) & 0x5555_5555);
  bits = (bits & 0x3333_3333) + ((bits >>> 2) & 0x3333_3333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24;
}

/** How many rows of a block are in it. */
export function countBits(bits: RowBits): number {
  let count = 0;
  for (let at = 0; at < bitWords; at++) count += bitsIn(bits[at] as number);
  return count;
}

/** Puts a row of a block in. */
export function addBit(bits: RowBits, row: number): void {
  bits[row >>> 5] = (bits[row >>> 5] as number) | (1 << (row & 31));
}
