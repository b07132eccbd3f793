/** Sets of rows as bits, for the account filter: the rows of one block, and those of a table. */
import { blockRows } from "./columns.ts";

/** Rows of one block as bits, 32 to a word: the first row is the lowest bit of the first word. */
export type RowBits = Uint32Array;

export const bitWords = blockRows / 32;

function bitsIn(word: number): number {
  let bits = word - ((word >>> 1) & 0x5555_5555);
  bits = (bits & 0x3333_3333) + ((bits >>> 2) & 0x3333_3333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24;
}

export function countBits(bits: RowBits): number {
  let count = 0;
  for (let at = 0; at < bitWords; at++) count += bitsIn(bits[at] as number);
  return count;
}

export function addBit(bits: RowBits, row: number): void {
  bits[row >>> 5] = (bits[row >>> 5] as number) | (1 << (row & 31));
}

const blockShift = Math.log2(blockRows);

/**
 * A set of rows of a table, with one bit per row. Blocks are added in their order. Rows are never
 * removed.
 */
export class FoundRows {
  readonly #blocks: RowBits[] = [];
  /** Number of rows in all earlier blocks, by block. */
  readonly #before: number[] = [];
  #count = 0;
  // `at` continues from its last position, because rows are mostly requested in their order.
  /** The block of the last position. */
  #block = 0;
  /** The word of the last position in its block. */
  #word = 0;
  #wordBefore = 0;

  get count(): number {
    return this.#count;
  }

  /**
   * Sets the rows of the next block, or sets the rows of the last block again after it has grown.
   */
  put(block: number, bits: RowBits): void {
    if (block > this.#blocks.length || block < this.#blocks.length - 1) throw new RangeError();
    this.#blocks[block] = bits;
    this.#before[block] ??= this.#count;
    this.#count = (this.#before[block] as number) + countBits(bits);
  }

  bitsOf(block: number): RowBits | null {
    return this.#blocks[block] ?? null;
  }

  has(row: number): boolean {
    const bits = this.#blocks[row >>> blockShift];
    return (
      bits !== undefined &&
      (((bits[(row & (blockRows - 1)) >>> 5] as number) >>> (row & 31)) & 1) === 1
    );
  }

  countBefore(row: number): number {
    const block = row >>> blockShift;
    const bits = this.#blocks[block];
    if (!bits) return this.#count;
    let count = this.#before[block] as number;
    const place = row & (blockRows - 1);
    for (let word = 0; word < place >>> 5; word++) count += bitsIn(bits[word] as number);
    const bitsBefore = (bits[place >>> 5] as number) & ((1 << (place & 31)) - 1);
    return count + bitsIn(bitsBefore);
  }

  /** Returns the row at a position, counted from 0 in the table's order. */
  at(position: number): number {
    if (position < 0 || position >= this.#count) throw new RangeError(`no row at ${position}`);
    this.#turnTo(position);
    const bits = this.#blocks[this.#block] as RowBits;
    for (;;) {
      const after = this.#wordBefore + bitsIn(bits[this.#word] as number);
      if (position < after) break;
      this.#wordBefore = after;
      this.#word += 1;
    }
    let rest = bits[this.#word] as number;
    for (let passed = this.#wordBefore; passed < position; passed++) rest &= rest - 1;
    return (this.#block << blockShift) + (this.#word << 5) + 31 - Math.clz32(rest & -rest);
  }

  /** Moves the last position to a word before or at `position`, in the right block. */
  #turnTo(position: number): void {
    const end = this.#before[this.#block + 1] ?? this.#count;
    if (position >= this.#wordBefore && position < end && this.#word < bitWords) return;
    let low = 0;
    let high = this.#blocks.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if ((this.#before[middle] as number) <= position) low = middle;
      else high = middle - 1;
    }
    this.#block = low;
    this.#word = 0;
    this.#wordBefore = this.#before[low] as number;
  }
}
