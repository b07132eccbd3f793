/** A block of an account table: up to 16,384 rows in flat columns. */

import type { BlockSearch, ShownTimes } from "./block-characters.ts";
import { blockRows, longer, type RowColumns } from "./columns.ts";
import type { AccountBatch } from "./ingest/batch.ts";

/**
 * The spare memory for the text of a new block is the text length of the previous block, shifted
 * right by this number (1/16).
 */
const slackShift = 4;

/**
 * The times from which the ages of a block's rows are computed. They are whole seconds since the
 * epoch, or 0 if unknown.
 */
export interface BlockAges {
  readonly pendingSince: Uint32Array;
  /**
   * The times since which accounts are no longer listed, or null if no such time is known in the
   * block.
   */
  readonly goneAt: Uint32Array | null;
}

/** Consecutive rows of an account table. Rows are added, but never changed. */
export class Block implements RowColumns {
  rows = 0;
  text: Uint8Array<ArrayBuffer>;
  ends: Uint32Array<ArrayBuffer>;
  flags: Uint8Array<ArrayBuffer>;
  createdAt: Float64Array<ArrayBuffer>;
  /** The earliest creation time in epoch milliseconds, or NaN if there is none. */
  earliest = Number.NaN;
  /** The latest creation time in epoch milliseconds, or NaN if there is none. */
  latest = Number.NaN;
  /** The indexes for the filter, or null before the first use. */
  search: BlockSearch | null = null;
  /** The shown creation times for the filter, or null before the first use. */
  shown: ShownTimes | null = null;
  /**
   * The times since which the accounts are pending, in epoch milliseconds, cached for the filter.
   * `source` is the object from which they were computed; a filter with another object computes
   * them again. Null before the first use.
   */
  pendingTimes: { readonly source: object; readonly pendingSince: Float64Array } | null = null;
  /** The times from which the ages of the rows are computed, or null before the first use. */
  ages: BlockAges | null = null;
  /** Number of bytes of `text` that are in use. */
  #length = 0;

  /**
   * Creates an empty block. `before` is the previous block of the same list, which is full. Its size
   * determines the initial size of the new block. The first block of a list begins small.
   */
  constructor(before?: Block) {
    const rows = before ? blockRows : 64;
    this.text = new Uint8Array(before ? before.#length + (before.#length >>> slackShift) : 4096);
    this.ends = new Uint32Array(3 * rows);
    this.flags = new Uint8Array(rows);
    this.createdAt = new Float64Array(rows);
  }

  get full(): boolean {
    return this.rows === blockRows;
  }

  /** Adds up to `count` rows of a batch from `start` on. Returns the number of rows added. */
  add(batch: AccountBatch, start: number, count: number): number {
    const taken = Math.min(count, blockRows - this.rows);
    const from = start === 0 ? 0 : (batch.ends[start * 3 - 1] as number);
    const to = batch.ends[(start + taken) * 3 - 1] as number;
    this.#grow(this.rows + taken, this.#length + to - from);
    this.text.set(batch.text.subarray(from, to), this.#length);
    const shift = this.#length - from;
    const first = this.rows * 3;
    for (let at = 0; at < taken * 3; at++) {
      this.ends[first + at] = (batch.ends[start * 3 + at] as number) + shift;
    }
    this.flags.set(batch.flags.subarray(start, start + taken), this.rows);
    this.createdAt.set(batch.createdAt.subarray(start, start + taken), this.rows);
    for (let at = start; at < start + taken; at++) {
      const time = batch.createdAt[at] as number;
      if (!(time >= this.earliest)) this.earliest = Number.isNaN(time) ? this.earliest : time;
      if (!(time <= this.latest)) this.latest = Number.isNaN(time) ? this.latest : time;
    }
    this.#length += to - from;
    this.rows += taken;
    if (this.full) this.#trim();
    return taken;
  }

  /** Frees the spare memory of the text if it is more than an eighth of the text. */
  #trim(): void {
    const spare = this.text.length - this.#length;
    if (spare > this.#length >>> (slackShift - 1)) this.text = this.text.slice(0, this.#length);
  }

  #grow(rows: number, length: number): void {
    if (length > this.text.length)
      this.text = longer(this.text, Math.max(length, this.text.length * 2));
    if (rows <= this.flags.length) return;
    const capacity = Math.min(blockRows, Math.max(rows, this.flags.length * 2));
    this.ends = longer(this.ends, capacity * 3);
    this.flags = longer(this.flags, capacity);
    this.createdAt = longer(this.createdAt, capacity);
  }
}
