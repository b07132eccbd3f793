/**
 * Loads the stored accounts of a list into memory, so that a new list can be compared with them.
 */

import { release, widerBytes, widerWords } from "../../accounts/columns.ts";
import type { Rows } from "../../sqlite/rows.ts";
import { bytesAt, isNumber, NumberIndex, numberStart } from "../account-numbers.ts";
import {
  blockShift,
  isEverImported,
  Part,
  type PartKind,
  readHashes,
  readNumbers,
  readStates,
  stateIn,
  storedBlockRows,
  storedState,
  unpackContent,
} from "./block-parts.ts";
import {
  contentAt,
  hash,
  hashContent,
  type PlacedContent,
  placed,
  type StoredContent,
} from "./content.ts";
import { type Delta, EntryFlag } from "./delta.ts";
import {
  blocksOf,
  deltasAfter,
  readPart,
  type StoredDelta,
  type StoredList,
} from "./parts-table.ts";

const none = new Uint8Array(0);

/**
 * The accounts of a list as of its last observation: number, state and content hash, in flat
 * columns. A new list is compared with them. Numbers of new accounts can be added at the end.
 */
export class KnownAccounts {
  readonly list: StoredList | null;
  /** Number of stored rows. Later rows are new accounts, and only their numbers are in memory. */
  readonly stored: number;
  rows = 0;
  text: Uint8Array<ArrayBuffer>;
  ends: Uint32Array<ArrayBuffer>;
  readonly states: Uint8Array;
  readonly low: Uint32Array;
  readonly high: Uint32Array;
  readonly #sql: Rows;
  readonly #index = new NumberIndex(this);
  #unfolded: readonly StoredDelta[] = [];
  #block: { readonly index: number; readonly content: PlacedContent } | null = null;

  constructor(sql: Rows, list: StoredList | null) {
    this.#sql = sql;
    this.list = list;
    this.stored = list?.rows ?? 0;
    const room = Math.max(64, this.stored + (this.stored >>> 6));
    this.text = new Uint8Array(room * 8);
    this.ends = new Uint32Array(room);
    this.states = new Uint8Array(this.stored);
    this.low = new Uint32Array(this.stored);
    this.high = new Uint32Array(this.stored);
    if (list !== null) this.#read(list);
  }

  #read(list: StoredList): void {
    const readEach = (kind: PartKind, block: number, read: (packed: Uint8Array) => void) => {
      const packed = readPart(this.#sql, list.id, kind, block);
      read(packed);
      release(packed);
    };
    for (let block = 0; block < blocksOf(list.rows); block++) {
      const row = block << blockShift;
      readEach(Part.numbers, block, (packed) => readNumbers(packed, row, this));
      readEach(Part.states, block, (packed) => readStates(packed, row, this.states));
      readEach(Part.hashes, block, (packed) => readHashes(packed, row, this.low, this.high));
    }
    this.rows = list.rows;
    this.#unfolded = deltasAfter(this.#sql, list.id, list.foldedSeq);
    for (const { delta } of this.#unfolded) this.#apply(delta);
  }

  #apply(delta: Delta): void {
    for (let at = 0; at < delta.count; at++) {
      const row = delta.rows[at] as number;
      this.states[row] = storedState(this.states[row] as number, delta.newState(at));
      if (hashEntry(delta, at)) {
        this.low[row] = hash.low;
        this.high[row] = hash.high;
      }
    }
  }

  state(row: number): number {
    return stateIn(this.states[row] as number);
  }

  isEverImported(row: number): boolean {
    return isEverImported(this.states[row] as number);
  }

  /** Returns true if a row has the number in these bytes. */
  hasNumber(row: number, bytes: Uint8Array, from: number, to: number): boolean {
    return row < this.rows && isNumber(this, row, bytes, from, to);
  }

  /** Returns the row of a number, or -1. */
  find(bytes: Uint8Array, from: number, to: number): number {
    this.#index.extend(this.rows);
    return this.#index.find(bytes, from, to);
  }

  /** Adds an unknown account. Returns its row. */
  add(bytes: Uint8Array, from: number, to: number): number {
    const row = this.rows;
    if (row === this.ends.length) this.ends = widerWords(this.ends, row + (row >>> 1));
    const start = numberStart(this.ends, row);
    const length = start + to - from;
    if (length > this.text.length)
      this.text = widerBytes(this.text, length + (this.text.length >>> 1));
    for (let at = from; at < to; at++) this.text[start + at - from] = bytes[at] as number;
    this.ends[row] = length;
    this.rows += 1;
    return row;
  }

  number(row: number): Uint8Array {
    return bytesAt(this, row);
  }

  /** Returns the stored content of an account. Reading rows in ascending order is fastest. */
  content(row: number): StoredContent {
    for (const { delta } of this.#unfolded.toReversed()) {
      const at = delta.indexFrom(row);
      if (delta.rows[at] !== row || at >= delta.count) continue;
      if (!((delta.flags[at] as number) & EntryFlag.content)) continue;
      return { service: delta.service(at), createdAt: delta.createdAt[at] as number };
    }
    if (this.list === null || row >= this.stored) return { service: null, createdAt: Number.NaN };
    const index = row >>> blockShift;
    if (this.#block?.index !== index)
      this.#block = { index, content: this.#readContent(this.list, index) };
    return contentAt(this.#block.content, row & (storedBlockRows - 1));
  }

  /** Frees all memory. */
  release(): void {
    release(this.text, this.ends, this.states, this.low, this.high, this.#index.slots);
  }

  #readContent(list: StoredList, block: number) {
    const rows = Math.min(storedBlockRows, this.stored - (block << blockShift));
    return placed(unpackContent(readPart(this.#sql, list.id, Part.content, block), rows));
  }
}

/**
 * Sets {@link hash} to the hash of the listed content in an entry. Returns false if the entry has
 * no content.
 */
export function hashEntry(delta: Delta, at: number): boolean {
  const flags = delta.flags[at] as number;
  if (!(flags & EntryFlag.content)) return false;
  const service = flags & EntryFlag.serviceNotListed ? null : delta.service(at);
  const createdAt =
    flags & EntryFlag.createdNotListed ? Number.NaN : (delta.createdAt[at] as number);
  hashContent(service ?? none, 0, service?.length ?? 0, createdAt);
  return true;
}
