import type { NumberColumn } from "../number-index.ts";
import {
  blockRows,
  blockShift,
  type Content,
  packContent,
  packHashes,
  packNumbers,
  unpackContent,
  unpackHashes,
} from "./block-parts.ts";
import { hash } from "./content-hash.ts";
import { type StoredContent, startsOf, storedContent } from "./known-accounts.ts";
import { release, widerBytes } from "./room.ts";

/** The parts of a full block that do not depend on the rest of the list. */
export interface FullBlock {
  readonly numbers: Uint8Array;
  readonly hashes: Uint8Array;
  readonly content: Uint8Array;
}

/** The rows of a block, from the first new one on. */
interface BlockContent extends Content {
  /** Where each row's service account number begins in the text. */
  readonly starts: Uint32Array;
  readonly low: Uint32Array;
  readonly high: Uint32Array;
}

/**
 * What a list shows of its new accounts. Their rows are counted like those of the stored accounts
 * before them, and a block of new rows is packed when it is full: a first list may have a million.
 */
export class NewContent {
  /** The newest creation time; NaN while there is none. */
  newest = Number.NaN;
  readonly #first: number;
  #rows: number;
  /** The block that already has stored rows, where it is no longer the open one. */
  #head: OpenBlock | null = null;
  #open: OpenBlock;
  readonly #full = new Map<number, FullBlock>();
  #unpacked: { readonly block: number; readonly content: BlockContent } | null = null;

  /** `first` is the row of the first new account. */
  constructor(first: number) {
    this.#first = first;
    this.#rows = first;
    this.#open = new OpenBlock();
  }

  /** Adds the next new account, with the {@link hash} of its content; `numbers` are those of all rows. */
  add(
    numbers: NumberColumn,
    bytes: Uint8Array,
    from: number,
    to: number,
    isNull: boolean,
    createdAt: number,
  ): void {
    this.#open.add(bytes, from, to, isNull, createdAt);
    if (!(createdAt <= this.newest) && !Number.isNaN(createdAt)) this.newest = createdAt;
    this.#rows += 1;
    if ((this.#rows & (blockRows - 1)) === 0) this.#close(numbers);
  }

  /** The packed parts of a block whose rows are all new, once it is full; null for another one. */
  full(block: number): FullBlock | null {
    return this.#full.get(block) ?? null;
  }

  at(row: number): StoredContent {
    const { content, at } = this.#place(row);
    return storedContent(content, at);
  }

  /** Sets {@link hash} to that of a row. */
  hashOf(row: number): void {
    const { content, at } = this.#place(row);
    hash.low = content.low[at] as number;
    hash.high = content.high[at] as number;
  }

  isHash(row: number): boolean {
    const { content, at } = this.#place(row);
    return content.low[at] === hash.low && content.high[at] === hash.high;
  }

  release(): void {
    this.#head?.release();
    this.#open.release();
    for (const parts of this.#full.values()) release(parts.numbers, parts.hashes, parts.content);
    this.#full.clear();
  }

  #place(row: number): { readonly content: BlockContent; readonly at: number } {
    const block = row >>> blockShift;
    const full = this.#full.get(block);
    if (full !== undefined) {
      if (this.#unpacked?.block !== block) this.#unpacked = { block, content: unpacked(full) };
      return { content: this.#unpacked.content, at: row & (blockRows - 1) };
    }
    const isHead = block === this.#first >>> blockShift;
    const at = isHead ? row - this.#first : row & (blockRows - 1);
    return { content: isHead ? (this.#head ?? this.#open) : this.#open, at };
  }

  #close(numbers: NumberColumn): void {
    const from = this.#rows - blockRows;
    if (from < this.#first) {
      this.#head = this.#open;
      this.#open = new OpenBlock();
      return;
    }
    this.#full.set(from >>> blockShift, {
      numbers: packNumbers(numbers, from, this.#rows),
      hashes: packHashes(this.#open.low, this.#open.high),
      content: packContent(this.#open, blockRows),
    });
    this.#open.clear();
  }
}

function unpacked({ content: packed, hashes }: FullBlock): BlockContent {
  const content = unpackContent(packed, blockRows);
  return { ...content, ...unpackHashes(hashes), starts: startsOf(content) };
}

/** A block that rows are added to. */
class OpenBlock implements BlockContent {
  readonly lengths = new Uint32Array(blockRows);
  readonly starts = new Uint32Array(blockRows);
  readonly createdAt = new Float64Array(blockRows);
  readonly low = new Uint32Array(blockRows);
  readonly high = new Uint32Array(blockRows);
  text = new Uint8Array(1 << 12);
  #rows = 0;
  #length = 0;

  add(bytes: Uint8Array, from: number, to: number, isNull: boolean, createdAt: number): void {
    const row = this.#rows;
    const more = isNull ? 0 : to - from;
    const end = this.#length + more;
    if (end > this.text.length)
      this.text = widerBytes(this.text, Math.max(this.text.length * 2, end));
    for (let at = 0; at < more; at++) this.text[this.#length + at] = bytes[from + at] as number;
    this.starts[row] = this.#length;
    this.lengths[row] = isNull ? 0 : more + 1;
    this.createdAt[row] = createdAt;
    this.low[row] = hash.low;
    this.high[row] = hash.high;
    this.#length = end;
    this.#rows += 1;
  }

  clear(): void {
    this.#rows = 0;
    this.#length = 0;
  }

  release(): void {
    release(this.lengths, this.starts, this.createdAt, this.low, this.high, this.text);
  }
}
