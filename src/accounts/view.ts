import type { AccountFacts } from "./account-facts.ts";
import { type FilterQuery, FilterRun } from "./filter.ts";
import { KnownWords } from "./filter-word.ts";
import type { ShownInstant } from "./shown-instant.ts";
import { atOnce, type Sliced } from "./slices.ts";
import { type SortColumn, sortRows } from "./sort.ts";
import type { AccountTable } from "./table.ts";

/** While rows still come, they are sorted in again whenever there are this many times as many. */
const resortGrowth = 1.5;
const stride = 1 << 15;

/** Rows of a table at one moment, in the order of a view; later changes do not touch it. */
export interface ViewRows {
  readonly table: AccountTable;
  readonly length: number;
  rowAt(position: number): number;
}

/** What rows are sorted by, and which way. */
interface SortChoice {
  readonly column: SortColumn;
  readonly descending: boolean;
}

const wireOrder: SortChoice = { column: "wire", descending: false };

/**
 * A table as it is looked at: filtered and sorted. The rows seen are an ordered part (`#head`), and
 * behind it, in the service's order, what has come since it was put together. What is seen changes
 * only when a filter or an order is complete.
 */
export class AccountView {
  readonly table: AccountTable;
  readonly #known: KnownWords;
  /** The filter that is seen; null when all rows are. */
  #run: FilterRun | null = null;
  /** The filter that is being found; undefined when none is. */
  #nextRun: FilterRun | null | undefined;
  #wanted: SortChoice = wireOrder;
  /** A complete order of the table's first rows, and what it is by. */
  #order: { readonly rows: Uint32Array; readonly by: SortChoice } | null = null;
  #orderWork: Sliced<Uint32Array> | null = null;
  #head: Uint32Array = new Uint32Array(0);
  #headWork: Sliced<Uint32Array> | null = null;
  /** Rows below this stand in the head, if they match. */
  #headRows = 0;
  /** Matches of the filter that stand in the head. */
  #headMatches = 0;
  #reversed = false;
  /** No more rows will come: the order may be made final. */
  #complete = false;

  /** `facts` and `now` answer the words of a filter that are not about the list. */
  constructor(
    table: AccountTable,
    shown?: ShownInstant,
    knows: { readonly facts?: AccountFacts; readonly now?: () => number } = {},
  ) {
    this.table = table;
    this.#known = new KnownWords(shown, knows);
  }

  get length(): number {
    return this.#head.length + this.#tailLength;
  }

  get #tailLength(): number {
    const matches = this.#run ? this.#run.count : this.table.rows;
    return matches - this.#headMatches;
  }

  /** Whether the filter asked for is the one seen; rows that have just come may be missing yet. */
  get filterSettled(): boolean {
    return this.#nextRun === undefined;
  }

  get sortSettled(): boolean {
    return !this.#orderDue && this.#headWork === null;
  }

  /** Whether everything asked for is seen, for the rows there are. */
  get settled(): boolean {
    return this.filterSettled && (this.#run?.caughtUp ?? true) && this.sortSettled;
  }

  /** Every word must be answerable. */
  setFilter(query: FilterQuery): void {
    if (query.words.length === 0) this.#nextRun = this.#run === null ? undefined : null;
    else this.#nextRun = new FilterRun(this.table, query, this.#known);
    if (this.#nextRun === null) this.#seeFilter(null);
  }

  /** Answers with other facts from the next filter on. */
  learn(facts: AccountFacts): void {
    this.#known.learn(facts);
  }

  /** Filters again, because the times are written differently now. */
  rewriteTimes(query: FilterQuery): void {
    for (const block of this.table.blocks) block.shown = null;
    this.#known.forget();
    this.setFilter(query);
  }

  /** Sorts again where the order goes by ages, because the rows have other ones now. */
  agesChanged(): void {
    const { column, descending } = this.#wanted;
    if (column !== "pending") return;
    this.#orderWork = null;
    this.#headWork = null;
    this.#wanted = { column, descending };
  }

  setSort(column: SortColumn, descending: boolean): void {
    this.#wanted = { column, descending };
    this.#orderWork = null;
    this.#headWork = null;
    if (column !== "wire") return;
    this.#order = null;
    this.#reversed = descending;
    this.#seeHead(new Uint32Array(0), 0);
  }

  /** Says that the table has all its rows. */
  complete(): void {
    this.#complete = true;
  }

  /** A little of the work there is; true when what is seen has changed. */
  work(): boolean {
    const next = this.#nextRun;
    if (next) {
      next.advance();
      if (!next.caughtUp) return false;
      this.#seeFilter(next);
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
    if (this.#wanted.column === "wire") return false;
    if (this.#orderWork || this.#order?.by !== this.#wanted) return true;
    const sorted = this.#order.rows.length;
    if (sorted === this.table.rows) return false;
    return this.#complete || this.table.rows >= sorted * resortGrowth;
  }

  #workOnOrder(): void {
    const { column, descending } = this.#wanted;
    if (column === "wire") return;
    this.#orderWork ??= sortRows(this.table, column, descending);
    const step = this.#orderWork.next();
    if (!step.done) return;
    this.#orderWork = null;
    this.#order = { rows: step.value, by: this.#wanted };
    this.#headWork = this.#compose(step.value);
  }

  #workOnHead(work: Sliced<Uint32Array>): boolean {
    const step = work.next();
    if (!step.done) return false;
    this.#headWork = null;
    this.#reversed = false;
    this.#seeHead(step.value, this.#order?.rows.length ?? 0);
    return true;
  }

  /** The ordered rows that match the filter seen. */
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

  #seeFilter(run: FilterRun | null): void {
    this.#run = run;
    this.#nextRun = undefined;
    this.#headWork = null;
    if (this.#order === null) {
      this.#seeHead(new Uint32Array(0), 0);
      return;
    }
    // A filter is seen together with its order: to put it in order a moment later would be a jump.
    this.#reversed = false;
    this.#seeHead(atOnce(this.#compose(this.#order.rows)), this.#order.rows.length);
  }

  #seeHead(head: Uint32Array, rows: number): void {
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

  /** True if the filter seen lets a row through. */
  has(row: number): boolean {
    return this.#run === null || this.#run.rows.has(row);
  }

  /** Where a row stands, or -1 when the filter leaves it out. */
  positionOf(row: number): number {
    const at = this.#placeOf(row);
    return at < 0 || !this.#reversed ? at : this.length - 1 - at;
  }

  #placeOf(row: number): number {
    if (row < 0 || row >= this.table.rows) return -1;
    if (row < this.#headRows) return this.#head.indexOf(row);
    const behind = this.#head.length - this.#headMatches;
    if (this.#run === null) return behind + row;
    return this.#run.rows.has(row) ? behind + this.#run.rows.countBefore(row) : -1;
  }

  /** The rows seen now, for whoever goes through them while the view lives on. */
  rows(): ViewRows {
    const { length } = this;
    const head = this.#head;
    const run = this.#run;
    const found = run?.rows;
    const behind = this.#headMatches - head.length;
    const reversed = this.#reversed;
    return {
      table: this.table,
      length,
      rowAt: (position) => {
        const at = reversed ? length - 1 - position : position;
        if (at < head.length) return head[at] as number;
        return found ? found.at(behind + at) : behind + at;
      },
    };
  }
}
