import { Block } from "./block.ts";
import { blockRows, fieldText, isGoneRow, isPendingRow, TextColumn } from "./columns.ts";
import { IdentityIndex } from "./identity-index.ts";
import { type AccountBatch, AccountFlag } from "./ingest/batch.ts";

const blockShift = Math.log2(blockRows);
const blockMask = blockRows - 1;

/** What a row costs besides its text: columns, index, views, marks, shown time, characters. */
const bytesPerRow = 80;

/** The default cap of a table: some two to three million accounts. */
const defaultMaxBytes = 256 * 1024 * 1024;

const encoder = new TextEncoder();

/** Epoch milliseconds of an age of a block; NaN where there is none. */
function instantOfAge(seconds: number | undefined): number {
  return seconds ? seconds * 1_000 : Number.NaN;
}

/** One account, with its raw values. */
export interface AccountRow {
  readonly external: string;
  readonly service: string | null;
  readonly created: string | null;
  /** Epoch milliseconds; NaN where `created` is no readable datetime. */
  readonly createdAt: number;
  readonly pending: boolean;
  /** On no list any more: see `AccountFlag.gone`. */
  readonly gone: boolean;
  /** The row's JSON where it holds more than the columns do, or is no object. */
  readonly extras: string | null;
  /** More came than the columns hold, and it was too much to be kept. */
  readonly moreCame: boolean;
  /** When this machine first saw it pending, in epoch milliseconds; NaN where that is not known. */
  readonly pendingSince: number;
  /** When this machine first missed it on the list, in epoch milliseconds; NaN for one that is listed. */
  readonly goneAt: number;
}

/** The row of an account of which only the number is known. */
export function unlistedRow(external: string): AccountRow {
  return {
    ...{ external, service: null, created: null, createdAt: Number.NaN, pending: false },
    ...{ gone: false, extras: null, moreCame: false, pendingSince: Number.NaN, goneAt: Number.NaN },
  };
}

/**
 * The accounts of one list (INTERFACE 4.9–4.11) in flat columns, in the service's order. Rows are
 * only ever added. With more than `maxBytes` of them it keeps what fits and says so.
 */
export class AccountTable {
  readonly blocks: Block[] = [];
  readonly #maxBytes: number;
  readonly #index: IdentityIndex;
  readonly #extras = new Map<number, string>();
  #rows = 0;
  #came = 0;
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

  /** Rows that came, kept or not. */
  get came(): number {
    return this.#came;
  }

  /** Pending ones among the rows that came, kept or not. */
  get pending(): number {
    return this.#pending;
  }

  /** Memory in use, in bytes, views and index of all rows included. */
  get bytes(): number {
    return this.#bytes;
  }

  /** How many rows were kept when more came than fit; null while all fit. */
  get truncatedAt(): number | null {
    return this.#truncatedAt;
  }

  /** Adds a batch at the end; rows beyond the cap are dropped. */
  append(batch: AccountBatch): void {
    this.#came += batch.count;
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

  /** The block that holds a row; the row's place in it is {@link placeOf}. */
  blockOf(row: number): Block {
    const block = this.blocks[row >>> blockShift];
    if (!block || row < 0 || row >= this.#rows) throw new RangeError(`no row ${row}`);
    return block;
  }

  /** The place of a row within its block. */
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
    const external = fieldText(block, place, TextColumn.external);
    return {
      external,
      service: flags & AccountFlag.serviceNull ? null : fieldText(block, place, TextColumn.service),
      created: flags & AccountFlag.createdNull ? null : fieldText(block, place, TextColumn.created),
      createdAt: block.createdAt[place] as number,
      pending: isPendingRow(block, place),
      gone: isGoneRow(block, place),
      extras: this.#extras.get(row) ?? (flags & AccountFlag.bare ? JSON.stringify(external) : null),
      moreCame: (flags & AccountFlag.moreCame) !== 0,
      pendingSince: instantOfAge(block.ages?.pendingSince[place]),
      goneAt: instantOfAge(block.ages?.goneAt?.[place]),
    };
  }

  /** The first row with this external account number, or -1. Always right; fast once indexed. */
  rowOf(external: string): number {
    const bytes = encoder.encode(external);
    return this.#index.find(bytes, 0, bytes.length);
  }

  /** The first row whose external account number is these bytes, or -1. */
  rowOfBytes(bytes: Uint8Array, from: number, to: number): number {
    return this.#index.find(bytes, from, to);
  }

  /** Takes more rows into the identity index; true when all are in it. */
  indexMore(rows: number): boolean {
    return this.#index.extend(rows);
  }

  get indexed(): boolean {
    return this.#index.complete;
  }
}
