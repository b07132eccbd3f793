import { longer, utf8 } from "../accounts/columns.ts";
import { hashOf } from "../accounts/identity-index.ts";

/** Texts end to end: row `n` stands from the end of the row before to `ends[n]`. */
export interface NumberColumn {
  readonly text: Uint8Array;
  readonly ends: Uint32Array;
}

/** A column of numbers that grows. */
export class NumberList implements NumberColumn {
  text = new Uint8Array(1 << 12);
  ends = new Uint32Array(1 << 8);
  count = 0;
  #length = 0;

  /** Adds a number that stands in `bytes`; returns its row. */
  add(bytes: Uint8Array, from: number, to: number): number {
    const length = this.#length + to - from;
    if (length > this.text.length)
      this.text = longer(this.text, Math.max(length, this.text.length * 2));
    if (this.count === this.ends.length) this.ends = longer(this.ends, this.ends.length * 2);
    for (let at = from, end = this.#length; at < to; at++) this.text[end++] = bytes[at] as number;
    this.#length = length;
    this.ends[this.count] = length;
    this.count += 1;
    return this.count - 1;
  }
}

/** Where numbers stand, and the rows found for them. */
interface FoundNumbers {
  readonly from: Uint32Array;
  readonly to: Uint32Array;
  readonly rows: Int32Array;
}

/** Where the number of a row begins. */
export function numberStart(ends: Uint32Array, row: number): number {
  return row === 0 ? 0 : (ends[row - 1] as number);
}

/** The number of a row in UTF-8: a view of the column, not a copy. */
export function bytesAt({ text, ends }: NumberColumn, row: number): Uint8Array {
  return text.subarray(numberStart(ends, row), ends[row]);
}

export function numberAt(column: NumberColumn, row: number): string {
  return utf8.decode(bytesAt(column, row));
}

/** Whether a row's number is these bytes. Numbers of one list begin alike, so the end is compared first. */
export function isNumber(
  { text, ends }: NumberColumn,
  row: number,
  bytes: Uint8Array,
  from: number,
  to: number,
): boolean {
  const start = numberStart(ends, row);
  let a = ends[row] as number;
  if (a - start !== to - from) return false;
  for (let b = to; b > from; ) if (text[--a] !== bytes[--b]) return false;
  return true;
}

/** How many slots an index of `rows` rows has: at most three of four are taken. */
function slotsFor(rows: number): number {
  return 2 ** Math.max(8, Math.ceil(Math.log2(rows * 1.4 + 2)));
}

/**
 * Number → row, as open addressing over the bytes of a column, which may grow. A slot has its row + 1
 * in as many bits as number the slots, and above them the bits of the number's hash, so that nearly all
 * other numbers are passed without a look at them; 0 is empty. A row without bytes is no number.
 */
export class NumberIndex {
  /** They can be given to another index of the same rows. */
  slots: Int32Array<ArrayBuffer>;
  readonly #column: NumberColumn;
  #rows = 0;
  #held = 0;

  /** `expected` is how many rows there will be, where that is known; `slots` are those of another index. */
  constructor(
    column: NumberColumn,
    { expected = 0, slots }: { expected?: number; slots?: Int32Array<ArrayBuffer> } = {},
  ) {
    this.#column = column;
    this.slots = slots ?? new Int32Array(slotsFor(expected));
  }

  /** Takes in all rows below `rows`, of which the first with a number counts. */
  extend(rows: number): void {
    if (rows > 2 * this.#rows) this.#widen(slotsFor(rows));
    for (let row = this.#rows; row < rows; row++) this.add(row);
  }

  /**
   * Takes a row in, behind all that were; returns the earlier row with the same number, or -1 where there
   * is none.
   */
  add(row: number): number {
    const { length } = this.slots;
    if (this.#held * 4 >= length * 3 || row + 2 > length) this.#widen(length * 2);
    this.#rows = row + 1;
    return this.#insert(row);
  }

  /** The first row with the number that stands in `bytes`, or -1. */
  find(bytes: Uint8Array, from: number, to: number): number {
    const hash = hashOf(bytes, from, to);
    const { slots } = this;
    const mask = slots.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const entry = slots[slot] as number;
      if (entry === 0) return -1;
      if (((entry ^ hash) & ~mask) !== 0) continue;
      const row = (entry & mask) - 1;
      if (isNumber(this.#column, row, bytes, from, to)) return row;
    }
  }

  /**
   * Finds many numbers at once: the number at `at` stands in `bytes` from `from[at]` to `to[at]`, and
   * `rows[at]` becomes its row or -1. Done in passes, because a processor waits for several places of
   * a large memory at a time when none depends on another.
   */
  findMany(
    bytes: Uint8Array,
    { from, to, rows }: FoundNumbers,
    count: number,
    hashes: Int32Array,
  ): void {
    const { text, ends } = this.#column;
    const { slots } = this;
    const mask = slots.length - 1;
    for (let at = 0; at < count; at++)
      hashes[at] = hashOf(bytes, from[at] as number, to[at] as number);
    for (let at = 0; at < count; at++) {
      const hash = hashes[at] as number;
      let slot = hash & mask;
      let entry = slots[slot] as number;
      while (entry !== 0 && ((entry ^ hash) & ~mask) !== 0) {
        slot = (slot + 1) & mask;
        entry = slots[slot] as number;
      }
      rows[at] = (entry & mask) - 1;
    }
    // From here on `hashes` holds where the numbers found begin.
    for (let at = 0; at < count; at++) {
      const row = rows[at] as number;
      hashes[at] = row <= 0 ? 0 : (ends[row - 1] as number);
    }
    for (let at = 0; at < count; at++) {
      const row = rows[at] as number;
      if (row === -1) continue;
      const start = hashes[at] as number;
      const first = from[at] as number;
      const length = (to[at] as number) - first;
      let same = (ends[row] as number) - start === length ? length : -1;
      while (same > 0 && text[start + same - 1] === bytes[first + same - 1]) same--;
      if (same !== 0) rows[at] = this.find(bytes, first, first + length);
    }
  }

  /** Puts a row into its slot; returns the earlier row with the same number, or -1. */
  #insert(row: number): number {
    const { text, ends } = this.#column;
    const from = numberStart(ends, row);
    const to = ends[row] as number;
    if (from === to) return -1;
    const hash = hashOf(text, from, to);
    const { slots } = this;
    const mask = slots.length - 1;
    let slot = hash & mask;
    for (; slots[slot] !== 0; slot = (slot + 1) & mask) {
      const entry = slots[slot] as number;
      if (((entry ^ hash) & ~mask) !== 0) continue;
      const other = (entry & mask) - 1;
      if (isNumber(this.#column, other, text, from, to)) return other;
    }
    slots[slot] = (hash & ~mask) | (row + 1);
    this.#held += 1;
    return -1;
  }

  #widen(length: number): void {
    if (length <= this.slots.length) return;
    this.slots = new Int32Array(length);
    this.#held = 0;
    for (let row = 0; row < this.#rows; row++) this.#insert(row);
  }
}
