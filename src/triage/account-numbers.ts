/**
 * Stores many account numbers in one byte array, and finds a number by its bytes without creating
 * strings.
 */
import { longer, utf8 } from "../accounts/columns.ts";
import { hashOf } from "../accounts/identity-index.ts";
import { runToEnd, type Sliced } from "../accounts/slices.ts";

/** Texts in one byte array. Row `n` is the bytes from the end of the previous row to `ends[n]`. */
export interface NumberColumn {
  readonly text: Uint8Array;
  readonly ends: Uint32Array;
}

export class NumberList implements NumberColumn {
  text = new Uint8Array(1 << 12);
  ends = new Uint32Array(1 << 8);
  count = 0;
  #length = 0;

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

/** An index that grows while rows arrive adds all rows again each time, so it grows by much. */
const growth = 4;
/** The number of rows that are added to an index between two possible pauses. */
const rowsPerStep = 2048;

/** The position of each number in a byte array, and its row or -1. */
interface FoundNumbers {
  readonly from: Uint32Array;
  readonly to: Uint32Array;
  readonly rows: Int32Array;
}

export function numberStart(ends: Uint32Array, row: number): number {
  return row === 0 ? 0 : (ends[row - 1] as number);
}

export function numberAt({ text, ends }: NumberColumn, row: number): string {
  return utf8.decode(text.subarray(numberStart(ends, row), ends[row]));
}

/**
 * Returns true if a row's number is these bytes. Numbers of one list have a common beginning, so
 * the end is compared first.
 */
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

/**
 * Returns the number of slots of an index of `rows` rows. At most three quarters of them are used.
 */
function slotsFor(rows: number): number {
  return 2 ** Math.max(8, Math.ceil(Math.log2(rows * 1.4 + 2)));
}

/**
 * A map from number to row: a hash table with open addressing over the bytes of a column that can
 * grow. In a table of 2^n slots, the low n bits of a slot are the row + 1. The other bits are from
 * the number's hash, so that a search skips nearly all other numbers without reading them. 0 is an
 * empty slot. An empty text is not a number.
 */
export class NumberIndex {
  /** The slots of the hash table. Another index of the same rows can use them. */
  slots: Int32Array<ArrayBuffer>;
  readonly #column: NumberColumn;
  #rows = 0;
  #usedSlots = 0;

  /**
   * `expected` is the final number of rows, if known. `slots` are the slots of another index of the
   * same rows.
   */
  constructor(
    column: NumberColumn,
    { expected = 0, slots }: { expected?: number; slots?: Int32Array<ArrayBuffer> } = {},
  ) {
    this.#column = column;
    this.slots = slots ?? new Int32Array(slotsFor(expected));
  }

  get rows(): number {
    return this.#rows;
  }

  /** Adds all rows below `rows`. For a repeated number, the index has the first row. */
  extend(rows: number): void {
    if (rows > 2 * this.#rows) this.#widen(slotsFor(rows));
    for (let row = this.#rows; row < rows; row++) this.add(row);
  }

  /**
   * Adds all rows below `rows` in slices, and makes room for `more` rows. Two callers can do this at
   * the same time.
   */
  *extending(rows: number, more = 0): Sliced<void> {
    while (this.slots.length < slotsFor(rows + more))
      yield* this.#widening(Math.max(slotsFor(rows + more), this.slots.length * growth));
    while (this.#rows < rows) {
      const end = Math.min(rows, this.#rows + rowsPerStep);
      while (this.#rows < end) this.add(this.#rows);
      yield;
    }
  }

  /**
   * Adds a row after all others. Returns the earlier row with the same number, or -1 if there is
   * none.
   */
  add(row: number): number {
    const { length } = this.slots;
    if (this.#usedSlots * 4 >= length * 3 || row + 2 > length) this.#widen(length * 2);
    this.#rows = row + 1;
    const earlier = this.#insert(row, this.slots);
    if (earlier < 0) this.#usedSlots += 1;
    return earlier;
  }

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
   * Finds many numbers at once. The number at `at` is in `bytes` from `from[at]` to `to[at]`, and
   * `rows[at]` becomes its row or -1. Works in passes, so that the processor can read several
   * places of a large memory at the same time.
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
    // From here on `hashes` has the starts of the numbers that were found.
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
      let uncompared = (ends[row] as number) - start === length ? length : -1;
      while (uncompared > 0 && text[start + uncompared - 1] === bytes[first + uncompared - 1])
        uncompared--;
      if (uncompared !== 0) rows[at] = this.find(bytes, first, first + length);
    }
  }

  /** Writes a row into its slot. Returns the earlier row with the same number, or -1. */
  #insert(row: number, slots: Int32Array): number {
    const { text, ends } = this.#column;
    const from = numberStart(ends, row);
    const to = ends[row] as number;
    if (from === to) return -1;
    const hash = hashOf(text, from, to);
    const mask = slots.length - 1;
    let slot = hash & mask;
    for (; slots[slot] !== 0; slot = (slot + 1) & mask) {
      const entry = slots[slot] as number;
      if (((entry ^ hash) & ~mask) !== 0) continue;
      const other = (entry & mask) - 1;
      if (isNumber(this.#column, other, text, from, to)) return other;
    }
    slots[slot] = (hash & ~mask) | (row + 1);
    return -1;
  }

  #widen(length: number): void {
    if (length > this.slots.length) runToEnd(this.#widening(length));
  }

  /** Moves all rows to a table with more slots. Until then the present one is complete. */
  *#widening(length: number): Sliced<void> {
    const slots = new Int32Array(length);
    for (let row = 0; row < this.#rows; row++) {
      this.#insert(row, slots);
      if (row % rowsPerStep === 0) yield;
    }
    if (length > this.slots.length) this.slots = slots;
  }
}

export function numberColumn(numbers: readonly string[]): NumberColumn {
  const parts = numbers.map((number) => Buffer.from(number));
  const ends = new Uint32Array(parts.length);
  let end = 0;
  for (const [row, part] of parts.entries()) {
    end += part.length;
    ends[row] = end;
  }
  return { text: Buffer.concat(parts, end), ends };
}

/**
 * The distinct numbers of a column, found by their UTF-8 bytes without creating strings. An empty
 * text is not a number. For a repeated number, `find` returns the first row.
 */
export class NumberSet {
  /** Number of rows of the column, including repeated and empty ones. */
  readonly rows: number;
  readonly size: number;
  readonly #column: NumberColumn;
  readonly #index: NumberIndex;
  readonly #isFirst: Uint8Array;

  constructor(column: NumberColumn) {
    this.#column = column;
    this.rows = column.ends.length;
    this.#index = new NumberIndex(column, { expected: this.rows });
    this.#isFirst = new Uint8Array(this.rows);
    let size = 0;
    for (let row = 0, from = 0; row < this.rows; row++) {
      const to = column.ends[row] as number;
      if (to > from && this.#index.add(row) < 0) {
        this.#isFirst[row] = 1;
        size += 1;
      }
      from = to;
    }
    this.size = size;
  }

  find(bytes: Uint8Array, from: number, to: number): number {
    return this.#index.find(bytes, from, to);
  }

  rowOf(number: string): number {
    const bytes = Buffer.from(number);
    return this.#index.find(bytes, 0, bytes.length);
  }

  /** Returns true if a row has a number that no earlier row has. */
  isFirst(row: number): boolean {
    return this.#isFirst[row] === 1;
  }

  numberAt(row: number): string {
    return numberAt(this.#column, row);
  }

  *numbers(): Generator<string, void, void> {
    for (let row = 0; row < this.rows; row++) if (this.isFirst(row)) yield this.numberAt(row);
  }
}
