/**
 * Compares a complete list with the stored accounts while it arrives, and again if another process
 * has recorded a newer list by then.
 */
import {
  fieldEnd,
  fieldStart,
  isPendingRow,
  longer,
  release,
  TextColumn,
  widerBytes,
} from "../../accounts/columns.ts";
import { AccountFlag } from "../../accounts/ingest/batch.ts";
import type { Rows } from "../../sqlite/rows.ts";
import { State } from "./block-parts.ts";
import { ContentRows, contentAt, hash, hashContent, type StoredContent } from "./content.ts";
import type { KnownAccounts } from "./known-accounts.ts";
import { NewContent } from "./new-content.ts";
import type { ListRows } from "./observations.ts";
import { deltasAfter } from "./parts-table.ts";

/** The flags of an account on one list: bits of {@link Listing.listed}. */
export const Listed = {
  pending: 1,
  imported: 2,
  /** A listed row equals the stored data, or is the first row of a new account. */
  asStored: 4,
  /** A listed row differs from the stored data and is in {@link Listing.others}. */
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
  /** The content of the rows that differ from the stored data, in the order of the list. */
  readonly others = new ContentRows();
  /** The row of each of {@link others}. */
  otherRows = new Uint32Array(64);
  /** 1 for each of {@link others} that is pending. */
  otherPending = new Uint8Array(64);
  /** New accounts whose first row is pending and a later row imported. */
  readonly firstPending = new Set<number>();
  /** The row of the next listed account if the order of the last list is unchanged. */
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

  /** Compares the rows of a batch. */
  take(batch: ListRows): void {
    const { text, flags, createdAt } = batch;
    for (let row = 0; row < batch.count; row++) {
      const from = fieldStart(batch, row, 0);
      const numberEnd = fieldEnd(batch, row, TextColumn.external);
      const serviceEnd = fieldEnd(batch, row, TextColumn.service);
      const isNull = ((flags[row] as number) & AccountFlag.serviceNull) !== 0;
      // An empty service account number counts as missing.
      const hasNoService = isNull || serviceEnd === numberEnd;
      const isPending = isPendingRow(batch, row);
      this.takeRow(
        text,
        from,
        numberEnd,
        serviceEnd,
        hasNoService,
        createdAt[row] as number,
        isPending,
      );
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
    hasNoService: boolean,
    createdAt: number,
    isPending: boolean,
  ): void {
    const { known } = this;
    if (from === numberEnd) return;
    let row = this.#expected;
    if (!known.hasNumber(row, text, from, numberEnd)) row = known.find(text, from, numberEnd);
    const bit = isPending ? Listed.pending : Listed.imported;
    hashContent(text, numberEnd, hasNoService ? numberEnd : serviceEnd, createdAt);
    if (row < 0) {
      row = known.add(text, from, numberEnd);
      if (row >= this.listed.length) this.listed = widerBytes(this.listed, known.ends.length);
      this.listed[row] = bit | Listed.asStored;
      this.added.add(known, text, numberEnd, serviceEnd, hasNoService, createdAt);
      this.#expected = row + 1;
      return;
    }
    this.#expected = row + 1;
    const before = this.listed[row] as number;
    const isSame =
      row < known.stored
        ? hash.low === known.low[row] && hash.high === known.high[row]
        : this.added.hasHash(row);
    const isAsStored = isSame && this.#hasState(row, before, bit);
    if (isAsStored) this.listed[row] = before | bit | Listed.asStored;
    else {
      this.listed[row] = before | bit | Listed.other;
      if (row >= known.stored && !(before & Listed.imported) && !isPending) {
        this.firstPending.add(row);
      }
      this.addOther(row, isPending, text, numberEnd, serviceEnd, hasNoService, createdAt);
    }
  }

  /** Adds a row that differs from the stored data. */
  addOther(
    row: number,
    isPending: boolean,
    text: Uint8Array,
    from: number,
    to: number,
    hasNoService: boolean,
    createdAt: number,
  ): void {
    const at = this.others.rows;
    if (at === this.otherRows.length) {
      this.otherRows = longer(this.otherRows, at * 2);
      this.otherPending = longer(this.otherPending, at * 2);
    }
    this.otherRows[at] = row;
    this.otherPending[at] = isPending ? 1 : 0;
    this.others.add(text, from, to, hasNoService, createdAt);
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

/**
 * Converts the comparison of a list with an older observation to a comparison with the newest one.
 * Needed if another process recorded a list while this one arrived.
 */
export function rebaseList(sql: Rows, older: Listing, known: KnownAccounts): Listing {
  const { known: before } = older;
  const listing = new Listing(known);
  listing.listed.set(older.listed.subarray(0, before.stored));
  for (let at = 0; at < older.others.rows; at++) {
    const row = older.otherRows[at] as number;
    if (row < before.stored)
      addOther(listing, row, older.otherPending[at] === 1, contentAt(older.others, at));
  }
  for (const [row, service] of changedSince(sql, older, known)) {
    const bits = older.listed[row] as number;
    if (!(bits & Listed.asStored)) continue;
    // A row that equaled the stored data then can differ from it now.
    const isPending = before.state(row) === State.pending;
    listing.listed[row] = (bits & ~Listed.asStored) | Listed.other;
    addOther(listing, row, isPending, { service, createdAt: Number.NaN });
  }
  for (let row = before.stored; row < before.rows; row++) {
    const number = before.number(row);
    // The first row of a new account can be pending although another row is imported.
    const isPending =
      !((older.listed[row] as number) & Listed.imported) || older.firstPending.has(row);
    takeAgain(listing, number, isPending, older.added.at(row));
  }
  for (let at = 0; at < older.others.rows; at++) {
    const row = older.otherRows[at] as number;
    if (row < before.stored) continue;
    const other = contentAt(older.others, at);
    takeAgain(listing, before.number(row), older.otherPending[at] === 1, other);
  }
  return listing;
}

/**
 * Returns the rows that changed after the older observation, each with its service account number
 * in that observation.
 */
function changedSince(sql: Rows, { known: before }: Listing, known: KnownAccounts) {
  const services = new Map<number, Uint8Array | null>();
  const { list } = known;
  if (list === null || before.list === null) return services;
  for (const { delta } of deltasAfter(sql, list.id, before.list.seq)) {
    for (let at = 0; at < delta.count; at++) {
      const row = delta.rows[at] as number;
      if (row >= before.stored || services.has(row)) continue;
      const isImported = delta.previousState(at) === State.imported;
      services.set(
        row,
        delta.previousService(at) ?? (isImported ? known.content(row).service : null),
      );
    }
  }
  return services;
}

/** Adds a row that differs from the stored data to a comparison. */
function addOther(listing: Listing, row: number, isPending: boolean, content: StoredContent): void {
  const { service, createdAt } = content;
  const bytes = service ?? noBytes;
  listing.addOther(row, isPending, bytes, 0, bytes.length, service === null, createdAt);
}

const noBytes = new Uint8Array(0);

/** Compares one row of an older comparison again. */
function takeAgain(
  listing: Listing,
  number: Uint8Array,
  isPending: boolean,
  { service, createdAt }: StoredContent,
): void {
  const bytes = new Uint8Array(number.length + (service?.length ?? 0));
  bytes.set(number);
  if (service !== null) bytes.set(service, number.length);
  listing.takeRow(bytes, 0, number.length, bytes.length, service === null, createdAt, isPending);
}
