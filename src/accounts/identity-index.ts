import { fieldStart, type RowColumns } from "./columns.ts";

interface IndexedRows {
  readonly rows: number;
  blockOf(row: number): RowColumns;
  placeOf(row: number): number;
}

/** Number of upper bits of a hash that select the partition. */
const partitionBits = 8;

/** Returns a hash of 32 bits whose upper and lower bits both differ between similar numbers. */
export function hashOf(bytes: Uint8Array, from: number, to: number): number {
  let hash = 0x811c9dc5;
  for (let at = from; at < to; at++) hash = Math.imul(hash ^ (bytes[at] as number), 0x01000193);
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x2c1b3c6d);
  return hash ^ (hash >>> 13);
}

/**
 * A hash index from external account number to row, with open addressing over the table's bytes. It
 * is split into partitions, so that growth never blocks the event loop. Rows that are not indexed
 * yet are searched one by one.
 */
export class IdentityIndex {
  readonly #table: IndexedRows;
  /** The row number + 1 in each slot, or 0 in an empty slot. */
  readonly #slots: Int32Array[] = Array.from(
    { length: 1 << partitionBits },
    () => new Int32Array(8),
  );
  readonly #used = new Int32Array(1 << partitionBits);
  #indexed = 0;

  constructor(table: IndexedRows) {
    this.#table = table;
  }

  get complete(): boolean {
    return this.#indexed === this.#table.rows;
  }

  /** Adds up to `rows` more rows. Returns true if none is left. */
  extend(rows: number): boolean {
    const end = Math.min(this.#table.rows, this.#indexed + rows);
    if (this.#indexed === 0) this.#reserve();
    for (let row = this.#indexed; row < end; row++) this.#insert(row);
    this.#indexed = end;
    return this.complete;
  }

  /** Reserves room for the existing rows, so that adding them needs no growth. */
  #reserve(): void {
    const perPartition = this.#table.rows / this.#slots.length;
    const room = 2 ** Math.max(3, Math.ceil(Math.log2(perPartition * 1.4 + 1)));
    for (let at = 0; at < this.#slots.length; at++) this.#slots[at] = new Int32Array(room);
  }

  /** Returns the row with the number in these bytes, or -1 if there is none. */
  find(bytes: Uint8Array, from: number, to: number): number {
    if (this.#indexed > 0) {
      const hash = hashOf(bytes, from, to);
      const slots = this.#slots[hash >>> (32 - partitionBits)] as Int32Array;
      const mask = slots.length - 1;
      for (let slot = hash & mask; slots[slot] !== 0; slot = (slot + 1) & mask) {
        const row = (slots[slot] as number) - 1;
        if (this.#hasNumber(row, bytes, from, to)) return row;
      }
    }
    for (let row = this.#indexed; row < this.#table.rows; row++) {
      if (this.#hasNumber(row, bytes, from, to)) return row;
    }
    return -1;
  }

  #hasNumber(row: number, bytes: Uint8Array, from: number, to: number): boolean {
    const block = this.#table.blockOf(row);
    const place = this.#table.placeOf(row);
    const start = fieldStart(block, place, 0);
    const length = (block.ends[place * 3] as number) - start;
    if (length !== to - from) return false;
    // Numbers of one list often have the same beginning, so the last characters are compared first.
    for (let at = length - 1; at >= 0; at--) {
      if (block.text[start + at] !== bytes[from + at]) return false;
    }
    return true;
  }

  #insert(row: number): void {
    const block = this.#table.blockOf(row);
    const place = this.#table.placeOf(row);
    const from = fieldStart(block, place, 0);
    const to = block.ends[place * 3] as number;
    const hash = hashOf(block.text, from, to);
    const partition = hash >>> (32 - partitionBits);
    let slots = this.#slots[partition] as Int32Array;
    if ((this.#used[partition] as number) * 4 >= slots.length * 3) slots = this.#double(partition);
    const mask = slots.length - 1;
    let slot = hash & mask;
    for (; slots[slot] !== 0; slot = (slot + 1) & mask) {
      if (this.#hasNumber((slots[slot] as number) - 1, block.text, from, to)) return;
    }
    slots[slot] = row + 1;
    this.#used[partition] = (this.#used[partition] as number) + 1;
  }

  #double(partition: number): Int32Array {
    const before = this.#slots[partition] as Int32Array;
    const slots = new Int32Array(before.length * 2);
    const mask = slots.length - 1;
    for (const entry of before) {
      if (entry === 0) continue;
      const block = this.#table.blockOf(entry - 1);
      const place = this.#table.placeOf(entry - 1);
      let slot = hashOf(block.text, fieldStart(block, place, 0), block.ends[place * 3] as number);
      for (slot &= mask; slots[slot] !== 0; slot = (slot + 1) & mask);
      slots[slot] = entry;
    }
    this.#slots[partition] = slots;
    return slots;
  }
}
