/** Bit sets of the rows of one block, for the account filter. */
import { blockRows } from "./columns.ts";

/** Rows of one block as bits, 32 to a word: the first row is the lowest bit of the first word. */
export type RowBits = Uint32Array;

/** Number of words of a {@link RowBits}. */
export const bitWords = blockRows / 32;

/** Returns the number of set bits of a word. */
export function bitsIn(word: number): number {
  let bits = word - ((word >>> 1) & 0x5555_5555);
  bits = (bits & 0x3333_3333) + ((bits >>> 2) & 0x3333_3333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24;
}

/** Returns the number of rows in the bits of a block. */
export function countBits(bits: RowBits): number {
  let count = 0;
  for (let at = 0; at < bitWords; at++) count += bitsIn(bits[at] as number);
  return count;
}

/** Adds a row of a block to the bits. */
export function addBit(bits: RowBits, row: number): void {
  bits[row >>> 5] = (bits[row >>> 5] as number) | (1 << (row & 31));
}
