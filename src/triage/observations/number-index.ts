/** Account numbers in UTF-8, one after the other; `ends` has the end of each. */
export interface Numbers {
  readonly text: Uint8Array;
  readonly ends: Uint32Array;
}

export function numberStart(ends: Uint32Array, row: number): number {
  return row === 0 ? 0 : (ends[row - 1] as number);
}

/** Whether a row's number is these bytes. Numbers of one list begin alike, so the end is compared first. */
export function isNumber(
  { text, ends }: Numbers,
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

function hashOf(bytes: Uint8Array, from: number, to: number): number {
  let hash = 0x811c9dc5;
  for (let at = from; at < to; at++) hash = Math.imul(hash ^ (bytes[at] as number), 0x01000193);
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) >>> 0;
}

/** Number → row, as open addressing; row + 1 in each slot, 0 is empty. */
export class NumberIndex {
  slots: Int32Array<ArrayBuffer>;
  #rows = 0;

  constructor(slots: Int32Array<ArrayBuffer> = new Int32Array(16)) {
    this.slots = slots;
  }

  /** Takes in the rows from the last one taken in up to `rows`. */
  extend(numbers: Numbers, rows: number): void {
    if (rows * 1.5 > this.slots.length) this.#rebuild(numbers, rows);
    for (let row = this.#rows; row < rows; row++) this.#insert(numbers, row);
    this.#rows = rows;
  }

  find(numbers: Numbers, bytes: Uint8Array, from: number, to: number): number {
    const { slots } = this;
    const mask = slots.length - 1;
    for (let slot = hashOf(bytes, from, to) & mask; slots[slot] !== 0; slot = (slot + 1) & mask) {
      const row = (slots[slot] as number) - 1;
      if (isNumber(numbers, row, bytes, from, to)) return row;
    }
    return -1;
  }

  #insert({ text, ends }: Numbers, row: number): void {
    const { slots } = this;
    const mask = slots.length - 1;
    const start = numberStart(ends, row);
    // A deleted account has no number.
    if (start === ends[row]) return;
    let slot = hashOf(text, start, ends[row] as number) & mask;
    while (slots[slot] !== 0) slot = (slot + 1) & mask;
    slots[slot] = row + 1;
  }

  #rebuild(numbers: Numbers, rows: number): void {
    this.slots = new Int32Array(2 ** Math.ceil(Math.log2(rows * 2 + 16)));
    for (let row = 0; row < this.#rows; row++) this.#insert(numbers, row);
  }
}
