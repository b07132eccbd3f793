/** Collects the content of a list's new accounts while the list arrives. */

import { release } from "../../accounts/columns.ts";
import type { NumberColumn } from "../account-numbers.ts";
import {
  blockShift,
  packContent,
  packHashes,
  packNumbers,
  storedBlockRows,
  unpackContent,
  unpackHashes,
} from "./block-parts.ts";
import {
  ContentRows,
  contentAt,
  hash,
  type PlacedContent,
  placed,
  type StoredContent,
} from "./content.ts";

/** The packed parts of a full block that do not depend on the rest of the list. */
export interface FullBlock {
  readonly numbers: Uint8Array;
  readonly hashes: Uint8Array;
  readonly content: Uint8Array;
}

/** The content and content hashes of a block's rows, beginning with the first new row. */
interface BlockContent {
  readonly content: PlacedContent;
  readonly low: Uint32Array;
  readonly high: Uint32Array;
}

/**
 * The content of a list's new accounts. Their rows follow those of the stored accounts. A block of
 * new rows is packed when it is full, because a first list might have a million rows.
 */
export class NewContent {
  /** The newest creation time, or NaN if there is none. */
  newest = Number.NaN;
  /** The row of the first new account. */
  readonly #first: number;
  /** Number of rows, including the stored rows. */
  #rows: number;
  /** The full block that also has stored rows, or null before it is full. */
  #head: OpenBlock | null = null;
  /** The block to which rows are added. */
  #open: OpenBlock;
  /** The packed blocks whose rows are all new, by block. */
  readonly #full = new Map<number, FullBlock>();
  /** The last full block that was read, unpacked. */
  #unpacked: { readonly block: number; readonly rows: BlockContent } | null = null;

  /** `first` is the row of the first new account. */
  constructor(first: number) {
    this.#first = first;
    this.#rows = first;
    this.#open = new OpenBlock();
  }

  /**
   * Adds the next new account with the {@link hash} of its content. `numbers` has the numbers of
   * all rows.
   */
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
    if ((this.#rows & (storedBlockRows - 1)) === 0) this.#close(numbers);
  }

  /**
   * Returns the packed parts of a full block whose rows are all new, or null for any other block.
   */
  full(block: number): FullBlock | null {
    return this.#full.get(block) ?? null;
  }

  /** Returns the content of a row. */
  at(row: number): StoredContent {
    const { rows, index } = this.#locate(row);
    return contentAt(rows.content, index);
  }

  /** Sets {@link hash} to the hash of a row. */
  hashOf(row: number): void {
    const { rows, index } = this.#locate(row);
    hash.low = rows.low[index] as number;
    hash.high = rows.high[index] as number;
  }

  /** Returns true if a row has the current {@link hash}. */
  hasHash(row: number): boolean {
    const { rows, index } = this.#locate(row);
    return rows.low[index] === hash.low && rows.high[index] === hash.high;
  }

  /** Frees all memory. */
  release(): void {
    this.#head?.release();
    this.#open.release();
    for (const parts of this.#full.values()) release(parts.numbers, parts.hashes, parts.content);
    this.#full.clear();
  }

  /** Returns the block content with a row, and the index of the row in it. */
  #locate(row: number): { readonly rows: BlockContent; readonly index: number } {
    const block = row >>> blockShift;
    const full = this.#full.get(block);
    if (full !== undefined) {
      if (this.#unpacked?.block !== block) this.#unpacked = { block, rows: unpacked(full) };
      return { rows: this.#unpacked.rows, index: row & (storedBlockRows - 1) };
    }
    const isHead = block === this.#first >>> blockShift;
    const index = isHead ? row - this.#first : row & (storedBlockRows - 1);
    return { rows: isHead ? (this.#head ?? this.#open) : this.#open, index };
  }

  /** Packs the open block, or stores it unpacked if it also has stored rows. */
  #close(numbers: NumberColumn): void {
    const from = this.#rows - storedBlockRows;
    if (from < this.#first) {
      this.#head = this.#open;
      this.#open = new OpenBlock();
      return;
    }
    this.#full.set(from >>> blockShift, {
      numbers: packNumbers(numbers, from, this.#rows),
      hashes: packHashes(this.#open.low, this.#open.high),
      content: packContent(this.#open.content, storedBlockRows),
    });
    this.#open.content.clear();
  }
}

function unpacked({ content, hashes }: FullBlock): BlockContent {
  return { content: placed(unpackContent(content, storedBlockRows)), ...unpackHashes(hashes) };
}

/** The block to which rows are added. */
class OpenBlock implements BlockContent {
  readonly content = new ContentRows();
  readonly low = new Uint32Array(storedBlockRows);
  readonly high = new Uint32Array(storedBlockRows);

  add(bytes: Uint8Array, from: number, to: number, isNull: boolean, createdAt: number): void {
    const row = this.content.rows;
    this.low[row] = hash.low;
    this.high[row] = hash.high;
    this.content.add(bytes, from, to, isNull, createdAt);
  }

  release(): void {
    this.content.release();
    release(this.low, this.high);
  }
}
