/** The in-memory table of the accounts of one list. */
import { Block } from "./block.ts";
import { blockRows, fieldText, isGoneRow, isPendingRow, TextColumn } from "./columns.ts";
import { IdentityIndex } from "./identity-index.ts";
import { type AccountBatch, AccountFlag } from "./ingest/batch.ts";
import type { Sliced } from "./slices.ts";

const blockShift = Math.log2(blockRows);
const blockMask = blockRows - 1;

/**
 * Estimated bytes of memory per row in addition to its text: columns, identity index, views, marks,
 * shown time, and the indexes for the filter.
 */
const bytesPerRow = 80;

/** Default memory cap of a table in bytes. Two to three million accounts fit. */
const defaultMaxBytes = 256 * 1024 * 1024;

const encoder = new TextEncoder();

/** Converts epoch seconds of a block to epoch milliseconds, or to NaN if the time is unknown (0). */
function epochMsOf(seconds: number | undefined): number {
  return seconds ? seconds * 1_000 : Number.NaN;
}

export interface AccountRow {
  readonly external: string;
  readonly service: string | null;
  readonly created: string | null;
  /** Epoch milliseconds, or NaN if `created` is not a readable datetime. */
  readonly createdAt: number;
  readonly pending: boolean;
  readonly gone: boolean;
  /** The JSON of a row that has more data than the columns or is not an object, or null. */
  readonly extras: string | null;
  /** True if the row had more data than the columns, and that data was too large to store. */
  readonly unstoredExtras: boolean;
  /**
   * The time at which this machine first saw the account pending, in epoch milliseconds, or NaN if
   * unknown.
   */
  readonly pendingSince: number;
  /**
   * The time at which a list first lacked the account, in epoch milliseconds, or NaN if
   * the account is not gone or the time is unknown.
   */
  readonly goneAt: number;
}

export function unlistedRow(external: string): AccountRow {
  return {
    external,
    service: null,
    created: null,
    createdAt: Number.NaN,
    pending: false,
    gone: false,
    extras: null,
    unstoredExtras: false,
    pendingSince: Number.NaN,
    goneAt: Number.NaN,
  };
}

/**
 * The accounts of one list (INTERFACE 4.9–4.11) in flat columns, in the service's order. Rows are
 * only added. Rows beyond `maxBytes` are dropped and counted.
 */
export class AccountTable {
  readonly blocks: Block[] = [];
  readonly #maxBytes: number;
  readonly #index: IdentityIndex;
  readonly #extras = new Map<number, string>();
  #rows = 0;
  #arrived = 0;
  #pending = 0;
  #bytes = 0;
  #truncatedAt: number | null = null;

  constructor(options: { readonly maxBytes?: number | undefined } = {}) {
    this.#maxBytes = options.maxBytes ?? defaultMaxBytes;
    this.#index = new IdentityIndex(this);
  }

  get rows(): number {
    return this.#rows;
  }

  get arrived(): number {
    return this.#arrived;
  }

  /** Number of pending accounts among the rows that arrived, stored or not. */
  get pending(): number {
    return this.#pending;
  }

  /** Estimated number of bytes in use, including the views and the index of all rows. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Number of stored rows if the cap was reached, or null if all rows fit. */
  get truncatedAt(): number | null {
    return this.#truncatedAt;
  }

  /** Adds a batch at the end. Drops rows beyond the cap. */
  append(batch: AccountBatch): void {
    this.#arrived += batch.count;
    const count = this.#truncatedAt === null ? this.#fitting(batch) : 0;
    for (let row = 0; row < batch.count; row++) if (isPendingRow(batch, row)) this.#pending += 1;
    let start = 0;
    while (start < count) {
      let block = this.blocks.at(-1);
      if (!block || block.full) {
        block = new Block(block);
        this.blocks.push(block);
      }
      start += block.add(batch, start, count - start);
    }
    for (const [row, json] of batch.extras) {
      if (row >= count) continue;
      this.#extras.set(this.#rows + row, json);
      this.#bytes += json.length * 2;
    }
    this.#rows += count;
    if (count < batch.count) this.#truncatedAt = this.#rows;
  }

  /** Returns the number of rows of a batch that fit below the cap, and adds their bytes to the sum. */
  #fitting(batch: AccountBatch): number {
    const text = batch.ends[batch.count * 3 - 1] ?? 0;
    const all = text + batch.count * bytesPerRow;
    if (this.#bytes + all <= this.#maxBytes) {
      this.#bytes += all;
      return batch.count;
    }
    let fits = 0;
    let bytes = 0;
    for (; fits < batch.count; fits++) {
      const more = (batch.ends[fits * 3 + 2] ?? 0) + (fits + 1) * bytesPerRow;
      if (this.#bytes + more > this.#maxBytes) break;
      bytes = more;
    }
    this.#bytes += bytes;
    return fits;
  }

  blockOf(row: number): Block {
    const block = this.blocks[row >>> blockShift];
    if (!block || row < 0 || row >= this.#rows) throw new RangeError(`no row ${row}`);
    return block;
  }

  placeOf(row: number): number {
    return row & blockMask;
  }

  externalAt(row: number): string {
    return fieldText(this.blockOf(row), row & blockMask, TextColumn.external);
  }

  row(row: number): AccountRow {
    const block = this.blockOf(row);
    const place = row & blockMask;
    const flags = block.flags[place] as number;
    return {
      external: fieldText(block, place, TextColumn.external),
      service: flags & AccountFlag.serviceNull ? null : fieldText(block, place, TextColumn.service),
      created: flags & AccountFlag.createdNull ? null : fieldText(block, place, TextColumn.created),
      createdAt: block.createdAt[place] as number,
      pending: isPendingRow(block, place),
      gone: isGoneRow(block, place),
      extras: this.#extras.get(row) ?? null,
      unstoredExtras: (flags & AccountFlag.unstoredExtras) !== 0,
      pendingSince: epochMsOf(block.ages?.pendingSince[place]),
      goneAt: epochMsOf(block.ages?.goneAt?.[place]),
    };
  }

  /**
   * Returns the first row with this external account number, or -1. Slow if many rows are not
   * indexed yet.
   */
  rowOf(external: string): number {
    const bytes = encoder.encode(external);
    return this.#index.find(bytes, 0, bytes.length);
  }

  /** Returns the first row whose external account number is these bytes, or -1. */
  rowOfBytes(bytes: Uint8Array, from: number, to: number): number {
    return this.#index.find(bytes, from, to);
  }

  /** Adds at most `rows` more rows to the identity index. Returns true if all rows are in it. */
  indexMore(rows: number): boolean {
    return this.#index.extend(rows);
  }

  get indexed(): boolean {
    return this.#index.complete;
  }
}

export const rowsIndexedPerStep = 2048;

export function* indexing(table: AccountTable): Sliced<void> {
  while (!table.indexMore(rowsIndexedPerStep)) yield;
}
