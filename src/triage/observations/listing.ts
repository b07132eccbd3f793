/** Compares a complete list with the stored accounts while it arrives. */
import { fieldEnd, fieldStart, isPendingRow, longer, TextColumn } from "../../accounts/columns.ts";
import { AccountFlag } from "../../accounts/ingest/batch.ts";
import { State } from "./block-parts.ts";
import { hash, hashContent } from "./content-hash.ts";
import { ContentRows } from "./content-rows.ts";
import type { KnownAccounts } from "./known-accounts.ts";
import { NewContent } from "./new-content.ts";
import type { ListRows } from "./observations.ts";
import { release, widerBytes } from "./room.ts";

/** The flags of an account on one list: bits of {@link Listing.listed}. */
export const Listed = {
  pending: 1,
  imported: 2,
  /** A row equals the stored data, or is the first row of a new account. */
  asStored: 4,
  /** A row differs: see {@link Listing.others}. */
  other: 8,
} as const;

/**
 * A complete list, compared with the known accounts while it arrives. A row that has the same place
 * as in the last list needs no search.
 */
export class Listing {
  readonly known: KnownAccounts;
  /** The bits of {@link Listed} for each row of the known accounts, including new accounts. */
  listed: Uint8Array<ArrayBuffer>;
  /** The content of the new accounts. */
  readonly added: NewContent;
  /** The rows that differ from the stored data, in the order of the list, and their row numbers. */
  readonly others = new ContentRows();
  otherRows = new Uint32Array(64);
  otherPending = new Uint8Array(64);
  /** New accounts whose first row is pending and a later row imported. */
  readonly firstPending = new Set<number>();
  #expected = 0;

  constructor(known: KnownAccounts) {
    this.known = known;
    this.listed = new Uint8Array(known.ends.length);
    this.added = new NewContent(known.stored);
  }

  /** Frees all memory. */
  release(): void {
    this.known.release();
    this.added.release();
    release(this.listed);
  }

  take(batch: ListRows): void {
    const { text, flags, createdAt } = batch;
    for (let row = 0; row < batch.count; row++) {
      const from = fieldStart(batch, row, 0);
      const numberEnd = fieldEnd(batch, row, TextColumn.external);
      const serviceEnd = fieldEnd(batch, row, TextColumn.service);
      const isNull = ((flags[row] as number) & AccountFlag.serviceNull) !== 0;
      // An empty service account number counts as missing.
      const isNone = isNull || serviceEnd === numberEnd;
      const isPending = isPendingRow(batch, row);
      this.takeRow(text, from, numberEnd, serviceEnd, isNone, createdAt[row] as number, isPending);
    }
  }

  /**
   * Compares one row. Its number is from `from` to `numberEnd`, and its service account number from
   * there to `serviceEnd`.
   */
  takeRow(
    text: Uint8Array,
    from: number,
    numberEnd: number,
    serviceEnd: number,
    isNone: boolean,
    createdAt: number,
    isPending: boolean,
  ): void {
    const { known } = this;
    if (from === numberEnd) return;
    let row = this.#expected;
    if (!known.is(row, text, from, numberEnd)) row = known.find(text, from, numberEnd);
    const bit = isPending ? Listed.pending : Listed.imported;
    hashContent(text, numberEnd, isNone ? numberEnd : serviceEnd, createdAt);
    if (row < 0) {
      row = known.add(text, from, numberEnd);
      if (row >= this.listed.length) this.listed = widerBytes(this.listed, known.ends.length);
      this.listed[row] = bit | Listed.asStored;
      this.added.add(known, text, numberEnd, serviceEnd, isNone, createdAt);
      this.#expected = row + 1;
      return;
    }
    this.#expected = row + 1;
    const before = this.listed[row] as number;
    const isSame =
      row < known.stored
        ? hash.low === known.low[row] && hash.high === known.high[row]
        : this.added.isHash(row);
    const isAsStored = isSame && this.#hasState(row, before, bit);
    if (isAsStored) this.listed[row] = before | bit | Listed.asStored;
    else {
      this.listed[row] = before | bit | Listed.other;
      if (row >= known.stored && !(before & Listed.imported) && !isPending) {
        this.firstPending.add(row);
      }
      this.addOther(row, isPending, text, numberEnd, serviceEnd, isNone, createdAt);
    }
  }

  /** Adds a row that differs from the stored data. */
  addOther(
    row: number,
    isPending: boolean,
    text: Uint8Array,
    from: number,
    to: number,
    isNone: boolean,
    createdAt: number,
  ): void {
    const at = this.others.rows;
    if (at === this.otherRows.length) {
      this.otherRows = longer(this.otherRows, at * 2);
      this.otherPending = longer(this.otherPending, at * 2);
    }
    this.otherRows[at] = row;
    this.otherPending[at] = isPending ? 1 : 0;
    this.others.add(text, from, to, isNone, createdAt);
  }

  /**
   * Returns true if an account has the state of a row in the stored data. The first row of a new
   * account counts as stored.
   */
  #hasState(row: number, before: number, bit: number): boolean {
    if (row >= this.known.stored) {
      // Only the first row of a new account counts as stored, and it arrives before its other rows.
      return (before & (Listed.pending | Listed.imported)) === bit;
    }
    return this.known.state(row) === (bit === Listed.pending ? State.pending : State.imported);
  }
}
