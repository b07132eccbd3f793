/** The filtered and sorted rows of an account table, as the list screen shows them. */

import { FilterRun } from "./filter.ts";
import type { AccountFacts } from "./filter-facts.ts";
import type { FilterQuery } from "./filter-query.ts";
import { FilterCache } from "./filter-word.ts";
import type { ShownInstant } from "./shown-instant.ts";
import { runToEnd, type Sliced } from "./slices.ts";
import { type SortColumn, sortRows } from "./sort.ts";
import type { AccountTable } from "./table.ts";

/** While rows arrive, they are sorted again whenever their number has grown by this factor. */
const resortGrowth = 1.5;
/** Number of rows of an order that are tested between two possible pauses. */
const stride = 1 << 15;

/** The visible rows of a view at one moment, in their order. Later changes do not affect them. */
export interface ViewRows {
  readonly table: AccountTable;
  readonly length: number;
  rowAt(position: number): number;
}

interface SortChoice {
  readonly column: SortColumn;
  readonly descending: boolean;
}

const wireOrder: SortChoice = { column: "wire", descending: false };

/**
 * A filtered and sorted table. The visible rows are an ordered part (`#head`), followed, in the
 * service's order, by the rows that arrived after it was built. The visible rows change only when a
 * filter or an order is complete.
 */
export class AccountView {
  readonly table: AccountTable;
  readonly #cache: FilterCache;
  /** The filter of the visible rows, or null if all rows are visible. */
  #run: FilterRun | null = null;
  /** The filter that is being applied, or undefined if there is none. */
  #nextRun: FilterRun | null | undefined;
  #requestedSort: SortChoice = wireOrder;
  /** A complete order of the table's first rows, and its column and direction. */
  #order: { readonly rows: Uint32Array; readonly by: SortChoice } | null = null;
  #orderWork: Sliced<Uint32Array> | null = null;
  #head: Uint32Array = new Uint32Array(0);
  #headWork: Sliced<Uint32Array> | null = null;
  /** Number of rows of the table that were sorted for the head. Later rows are not in the head. */
  #headRows = 0;
  #headMatches = 0;
  #reversed = false;
  /** True if no more rows arrive, so that the order can be made final. */
  #complete = false;

  /** `facts` and `now` are used for the filter words that are not text. */
  constructor(
    table: AccountTable,
    shown?: ShownInstant,
    factOptions: { readonly facts?: AccountFacts; readonly now?: () => number } = {},
  ) {
    this.table = table;
    this.#cache = new FilterCache(shown, factOptions);
  }

  get length(): number {
    return this.#head.length + this.#tailLength;
  }

  get #tailLength(): number {
    const matches = this.#run ? this.#run.count : this.table.rows;
    return matches - this.#headMatches;
  }

  /**
   * True if the requested filter is the visible one. Rows that have just arrived might still be
   * missing.
   */
  get filterSettled(): boolean {
    return this.#nextRun === undefined;
  }

  get sortSettled(): boolean {
    return !this.#orderDue && this.#headWork === null;
  }

  get settled(): boolean {
    return this.filterSettled && (this.#run?.caughtUp ?? true) && this.sortSettled;
  }

  /** Applies a filter. The facts of every word must be known. */
  setFilter(query: FilterQuery): void {
    if (query.words.length === 0) this.#nextRun = this.#run === null ? undefined : null;
    else this.#nextRun = new FilterRun(this.table, query, this.#cache);
    if (this.#nextRun === null) this.#showFilter(null);
  }

  /** Replaces the facts. They apply from the next filter on. */
  setFacts(facts: AccountFacts): void {
    this.#cache.setFacts(facts);
  }

  reformatTimes(query: FilterQuery): void {
    for (const block of this.table.blocks) block.shown = null;
    this.#cache.clear();
    this.setFilter(query);
  }

  agesChanged(): void {
    const { column, descending } = this.#requestedSort;
    if (column !== "pending") return;
    this.#orderWork = null;
    this.#headWork = null;
    this.#requestedSort = { column, descending };
  }

  setSort(column: SortColumn, descending: boolean): void {
    this.#requestedSort = { column, descending };
    this.#orderWork = null;
    this.#headWork = null;
    if (column !== "wire") return;
    this.#order = null;
    this.#reversed = descending;
    this.#showHead(new Uint32Array(0), 0);
  }

  complete(): void {
    this.#complete = true;
  }

  /** Does a little of the pending work. Returns true if the visible rows have changed. */
  work(): boolean {
    const next = this.#nextRun;
    if (next) {
      next.advance();
      if (!next.caughtUp) return false;
      this.#showFilter(next);
      return true;
    }
    if (this.#run && !this.#run.caughtUp) {
      const before = this.#run.count;
      this.#run.advance();
      return this.#run.count !== before;
    }
    if (this.#headWork) return this.#workOnHead(this.#headWork);
    if (this.#orderDue) this.#workOnOrder();
    return false;
  }

  get #orderDue(): boolean {
    if (this.#requestedSort.column === "wire") return false;
    if (this.#orderWork || this.#order?.by !== this.#requestedSort) return true;
    const sorted = this.#order.rows.length;
    if (sorted === this.table.rows) return false;
    return this.#complete || this.table.rows >= sorted * resortGrowth;
  }

  #workOnOrder(): void {
    const { column, descending } = this.#requestedSort;
    if (column === "wire") return;
    this.#orderWork ??= sortRows(this.table, column, descending);
    const step = this.#orderWork.next();
    if (!step.done) return;
    this.#orderWork = null;
    this.#order = { rows: step.value, by: this.#requestedSort };
    this.#headWork = this.#compose(step.value);
  }

  #workOnHead(work: Sliced<Uint32Array>): boolean {
    const step = work.next();
    if (!step.done) return false;
    this.#headWork = null;
    this.#reversed = false;
    this.#showHead(step.value, this.#order?.rows.length ?? 0);
    return true;
  }

  *#compose(order: Uint32Array): Sliced<Uint32Array> {
    const run = this.#run;
    if (run === null) return order;
    const head = new Uint32Array(Math.min(order.length, run.count) + 1);
    let length = 0;
    for (let start = 0; start < order.length; start += stride) {
      const end = Math.min(order.length, start + stride);
      for (let at = start; at < end; at++) {
        const row = order[at] as number;
        head[length] = row;
        if (run.rows.has(row)) length += 1;
      }
      yield;
    }
    return head.slice(0, length);
  }

  #showFilter(run: FilterRun | null): void {
    this.#run = run;
    this.#nextRun = undefined;
    this.#headWork = null;
    if (this.#order === null) {
      this.#showHead(new Uint32Array(0), 0);
      return;
    }
    // The result of a filter must be shown in its order, because rows would jump if they were
    // sorted a moment later.
    this.#reversed = false;
    this.#showHead(runToEnd(this.#compose(this.#order.rows)), this.#order.rows.length);
  }

  #showHead(head: Uint32Array, rows: number): void {
    this.#head = head;
    this.#headRows = rows;
    this.#headMatches = this.#run === null ? rows : this.#run.rows.countBefore(rows);
  }

  rowAt(position: number): number {
    const at = this.#reversed ? this.length - 1 - position : position;
    const { length } = this.#head;
    if (at < length) return this.#head[at] as number;
    const match = this.#headMatches + at - length;
    return this.#run === null ? match : this.#run.rows.at(match);
  }

  has(row: number): boolean {
    return this.#run === null || this.#run.rows.has(row);
  }

  /** Returns the position of a row, or -1 if the filter hides it. */
  positionOf(row: number): number {
    const at = this.#placeOf(row);
    return at < 0 || !this.#reversed ? at : this.length - 1 - at;
  }

  #placeOf(row: number): number {
    if (row < 0 || row >= this.table.rows) return -1;
    if (row < this.#headRows) return this.#head.indexOf(row);
    const offset = this.#head.length - this.#headMatches;
    if (this.#run === null) return offset + row;
    return this.#run.rows.has(row) ? offset + this.#run.rows.countBefore(row) : -1;
  }

  rows(): ViewRows {
    const { length } = this;
    const head = this.#head;
    const run = this.#run;
    const found = run?.rows;
    const offset = this.#headMatches - head.length;
    const reversed = this.#reversed;
    return {
      table: this.table,
      length,
      rowAt: (position) => {
        const at = reversed ? length - 1 - position : position;
        if (at < head.length) return head[at] as number;
        return found ? found.at(offset + at) : offset + at;
      },
    };
  }
}
