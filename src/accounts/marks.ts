/** Stores the accounts that the user has marked in a list. Marks survive a reload. */
import { longer } from "./columns.ts";
import { type AccountRow, type AccountTable, unlistedRow } from "./table.ts";
import type { ViewRows } from "./view.ts";

/** A marked account. `standing` is `not-listed` if the account is no longer on this list. */
export interface MarkedAccount {
  readonly external: string;
  readonly standing: "imported" | "staged" | "not-listed";
}

/** The accounts that were marked at one moment, without a list of them in memory. */
export interface MarkedAccounts {
  readonly count: number;
  /**
   * Iterates over all marks, in the order of the service's list. Unlisted accounts come last.
   * Each call starts at the first mark.
   */
  each(): Iterable<MarkedAccount>;
}

/**
 * The marked accounts, by their number. A mark survives the next load, even if the account is not on
 * the list after it (an imported account leaves the pending list).
 */
export class Marks {
  readonly #changed: () => void;
  #table: AccountTable;
  /** 1 for each marked row. Rows past the end are not marked. */
  #rows = new Uint8Array(0);
  /** The external numbers of marked accounts that are not in the table. */
  readonly #unlisted = new Set<string>();
  #count = 0;

  constructor(table: AccountTable, changed: () => void) {
    this.#table = table;
    this.#changed = changed;
  }

  get count(): number {
    return this.#count + this.#unlisted.size;
  }

  has(row: number): boolean {
    return this.#rows[row] === 1;
  }

  toggle(external: string): void {
    const row = this.#table.rowOf(external);
    if (row >= 0) this.#set(row, !this.has(row));
    else if (!this.#unlisted.delete(external)) this.#unlisted.add(external);
    this.#changed();
  }

  /**
   * Marks the given accounts that are in the table, including accounts that a filter hides. Returns
   * the number of the others.
   */
  markListed(externals: Iterable<string>): number {
    let absent = 0;
    for (const external of externals) {
      const row = this.#table.rowOf(external);
      if (row < 0) absent++;
      else this.#set(row, true);
    }
    this.#changed();
    return absent;
  }

  markAll(view: ViewRows): void {
    for (let position = 0; position < view.length; position++)
      this.#set(view.rowAt(position), true);
    this.#changed();
  }

  clear(): void {
    this.#rows = new Uint8Array(0);
    this.#unlisted.clear();
    this.#count = 0;
    this.#changed();
  }

  hiddenIn(view: { has(row: number): boolean }): number {
    let hidden = this.#unlisted.size;
    for (let row = this.#rows.indexOf(1); row >= 0; row = this.#rows.indexOf(1, row + 1))
      if (!view.has(row)) hidden++;
    return hidden;
  }

  /**
   * Returns the marked external account numbers in the service's order. Unlisted accounts come
   * last.
   */
  externals(limit = Number.POSITIVE_INFINITY): string[] {
    const externals: string[] = [];
    for (let row = this.#rows.indexOf(1); row >= 0 && externals.length < limit; ) {
      externals.push(this.#table.externalAt(row));
      row = this.#rows.indexOf(1, row + 1);
    }
    for (const external of this.#unlisted) {
      if (externals.length >= limit) break;
      externals.push(external);
    }
    return externals;
  }

  /** Returns the rows of the marked accounts. An unlisted account has only its number. */
  rows(limit?: number): readonly AccountRow[] {
    return this.externals(limit).map((external) => {
      const row = this.#table.rowOf(external);
      return row < 0 ? unlistedRow(external) : this.#table.row(row);
    });
  }

  /** Returns the current marks. Later marks and loads do not change the result. */
  snapshot(): MarkedAccounts {
    const table = this.#table;
    const rows = this.#rows.slice();
    const unlisted = [...this.#unlisted];
    return {
      count: this.count,
      *each() {
        for (let row = rows.indexOf(1); row >= 0; row = rows.indexOf(1, row + 1)) {
          const { external, service } = table.row(row);
          yield { external, standing: service === null || service === "" ? "staged" : "imported" };
        }
        for (const external of unlisted) yield { external, standing: "not-listed" };
      },
    };
  }

  /**
   * Moves the marks to a later table. `previous` has, for each row of that table, the earlier row
   * or -1.
   */
  moveTo(table: AccountTable, previous: Int32Array): void {
    const before = this.#table;
    const marks = this.#rows;
    const unlisted = [...this.#unlisted];
    this.#table = table;
    this.#rows = new Uint8Array(0);
    this.#unlisted.clear();
    if (this.#count > 0) {
      this.#count = 0;
      for (let row = 0; row < previous.length; row++) {
        const earlierRow = previous[row] as number;
        if (earlierRow < 0 || marks[earlierRow] === 0 || marks[earlierRow] === undefined) continue;
        this.#set(row, true);
        marks[earlierRow] = 2;
      }
      for (let row = marks.indexOf(1); row >= 0; row = marks.indexOf(1, row + 1)) {
        this.#add(before.externalAt(row));
      }
    }
    for (const external of unlisted) this.#add(external);
  }

  /**
   * Looks up the marked accounts that the table did not contain. Called after more rows have
   * arrived.
   */
  settle(): void {
    for (const external of [...this.#unlisted]) {
      this.#unlisted.delete(external);
      this.#add(external);
    }
  }

  #add(external: string): void {
    const row = this.#table.rowOf(external);
    if (row < 0) this.#unlisted.add(external);
    else this.#set(row, true);
  }

  #set(row: number, marked: boolean): void {
    if (this.has(row) === marked) return;
    if (row >= this.#rows.length)
      this.#rows = longer(this.#rows, Math.max(row + 1, this.#table.rows, this.#rows.length * 2));
    this.#rows[row] = marked ? 1 : 0;
    this.#count += marked ? 1 : -1;
  }
}
