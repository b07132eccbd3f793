/** Texts end to end: row `n` stands from the end of the row before to `ends[n]`. */
export interface NumberColumn {
  readonly text: Uint8Array;
  readonly ends: Uint32Array;
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** A column of numbers that grows. */
export class NumberList implements NumberColumn {
  text = new Uint8Array(1 << 12);
  ends = new Uint32Array(1 << 8);
  count = 0;
  #length = 0;

  /** Adds a number that stands in `bytes`; returns its row. */
  add(bytes: Uint8Array, from: number, to: number): number {
    const length = this.#length + to - from;
    if (length > this.text.length) {
      const larger = new Uint8Array(Math.max(length, this.text.length * 2));
      larger.set(this.text.subarray(0, this.#length));
      this.text = larger;
    }
    if (this.count === this.ends.length) {
      const larger = new Uint32Array(this.ends.length * 2);
      larger.set(this.ends);
      this.ends = larger;
    }
    for (let at = from, end = this.#length; at < to; at++) this.text[end++] = bytes[at] as number;
    this.#length = length;
    this.ends[this.count] = length;
    this.count += 1;
    return this.count - 1;
  }

  textAt(row: number): string {
    const from = row === 0 ? 0 : (this.ends[row - 1] as number);
    return decoder.decode(this.text.subarray(from, this.ends[row]));
  }
}

/** Where numbers stand, and the rows found for them. */
interface FoundNumbers {
  readonly from: Uint32Array;
  readonly to: Uint32Array;
  readonly rows: Int32Array;
}

/**
 * Number → row, as open addressing over the bytes of a column. The column may grow, and be replaced
 * by a larger copy of itself.
 */
export class NumberIndex {
  readonly #column: NumberColumn;
  /** Two per slot: a hash, and its row + 1, where 0 is empty. */
  #slots: Int32Array;
  #held = 0;

  /** `expected` is how many rows there will be, where that is known. */
  constructor(column: NumberColumn, expected = 0) {
    this.#column = column;
    this.#slots = new Int32Array(2 ** Math.max(9, Math.ceil(Math.log2(expected * 1.4 + 1)) + 1));
  }

  /** Takes a row in; returns the earlier row with the same number, or -1 where there is none. */
  add(row: number): number {
    if (this.#held * 8 >= this.#slots.length * 3) this.#grow();
    const { text, ends } = this.#column;
    const from = row === 0 ? 0 : (ends[row - 1] as number);
    const to = ends[row] as number;
    const hash = hashOf(text, from, to);
    const slots = this.#slots;
    const mask = slots.length - 1;
    let slot = (hash << 1) & mask;
    for (; slots[slot + 1] !== 0; slot = (slot + 2) & mask) {
      if (slots[slot] !== hash) continue;
      const other = (slots[slot + 1] as number) - 1;
      if (this.#is(other, text, from, to)) return other;
    }
    slots[slot] = hash;
    slots[slot + 1] = row + 1;
    this.#held += 1;
    return -1;
  }

  /** The first row with the number that stands in `bytes`, or -1. */
  find(bytes: Uint8Array, from: number, to: number): number {
    const hash = hashOf(bytes, from, to);
    const slots = this.#slots;
    const mask = slots.length - 1;
    let slot = (hash << 1) & mask;
    for (; slots[slot + 1] !== 0; slot = (slot + 2) & mask) {
      if (slots[slot] !== hash) continue;
      const row = (slots[slot + 1] as number) - 1;
      if (this.#is(row, bytes, from, to)) return row;
    }
    return -1;
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
    const slots = this.#slots;
    const mask = slots.length - 1;
    for (let at = 0; at < count; at++)
      hashes[at] = hashOf(bytes, from[at] as number, to[at] as number);
    for (let at = 0; at < count; at++) {
      const hash = hashes[at] as number;
      let slot = (hash << 1) & mask;
      while (slots[slot + 1] !== 0 && slots[slot] !== hash) slot = (slot + 2) & mask;
      rows[at] = (slots[slot + 1] as number) - 1;
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

  #is(row: number, bytes: Uint8Array, from: number, to: number): boolean {
    const { text, ends } = this.#column;
    const start = row === 0 ? 0 : (ends[row - 1] as number);
    const length = (ends[row] as number) - start;
    if (length !== to - from) return false;
    // Numbers of one list begin alike: the difference is found sooner from the end.
    for (let at = length - 1; at >= 0; at--) {
      if (text[start + at] !== bytes[from + at]) return false;
    }
    return true;
  }

  #grow(): void {
    const before = this.#slots;
    const slots = new Int32Array(before.length * 2);
    const mask = slots.length - 1;
    for (let at = 0; at < before.length; at += 2) {
      if (before[at + 1] === 0) continue;
      let slot = ((before[at] as number) << 1) & mask;
      while (slots[slot + 1] !== 0) slot = (slot + 2) & mask;
      slots[slot] = before[at] as number;
      slots[slot + 1] = before[at + 1] as number;
    }
    this.#slots = slots;
  }
}

function hashOf(bytes: Uint8Array, from: number, to: number): number {
  let hash = 0x811c9dc5;
  for (let at = from; at < to; at++) hash = Math.imul(hash ^ (bytes[at] as number), 0x01000193);
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x2c1b3c6d);
  return hash ^ (hash >>> 13);
}
