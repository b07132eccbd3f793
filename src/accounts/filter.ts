import type { AccountBatch } from "../api/account-batch.ts";
import { blockRows } from "./block.ts";
import { RowMatcher } from "./filter-match.ts";
import { type FilterQuery, narrows } from "./filter-query.ts";
import type { AccountTable } from "./table.ts";

export {
  type FilterColumn,
  type FilterQuery,
  type FilterWord,
  parseFilter,
} from "./filter-query.ts";

/** Rows looked at between two looks at the time. */
const stride = 1024;
/** From this share of a block's rows on, all of them are looked at in one go. */
const denseShare = 4;

/** The rows of a table that match a query, found step by step, also while rows still come. */
export class FilterRun {
  readonly query: FilterQuery;
  /** Matching rows, ascending; `count` of them count. */
  matched: Uint32Array;
  count = 0;
  /** Rows that have been decided. */
  scanned = 0;
  readonly #table: AccountTable;
  readonly #matcher: RowMatcher;
  /** What an earlier, wider query had found: nothing else needs to be looked at below `until`. */
  readonly #candidates: { rows: Uint32Array; count: number; until: number } | null;
  #candidate = 0;

  /** `earlier` runs over the same table are built upon where this query only narrows them. */
  constructor(
    table: AccountTable,
    query: FilterQuery,
    shown?: (createdAtMs: number) => string,
    earlier: readonly (FilterRun | null)[] = [],
  ) {
    this.#table = table;
    this.query = query;
    this.#matcher = new RowMatcher(query, shown);
    let best: FilterRun | null = null;
    for (const run of earlier) {
      if (!run || run.#table !== table || !narrows(query, run.query)) continue;
      const further = best === null || run.scanned > best.scanned;
      if (further || (run.scanned === best?.scanned && run.count < best.count)) best = run;
    }
    this.#candidates = best && { rows: best.matched, count: best.count, until: best.scanned };
    this.matched = new Uint32Array(Math.max(1024, best ? best.count : table.rows));
  }

  /** Whether every row of the table has been decided. */
  get caughtUp(): boolean {
    return this.scanned === this.#table.rows;
  }

  /** Decides some more rows. */
  advance(): void {
    const from = this.#candidates;
    if (from && this.scanned < from.until) this.#narrow(from);
    else this.#scan();
  }

  #narrow(from: { rows: Uint32Array; count: number; until: number }): void {
    if (this.#candidate === from.count) {
      this.scanned = from.until;
      return;
    }
    const first = from.rows[this.#candidate] as number;
    const base = first - this.#table.placeOf(first);
    let end = this.#candidate;
    while (end < from.count && (from.rows[end] as number) < base + blockRows) end += 1;
    this.#enter(first);
    const dense = (end - this.#candidate) * denseShare > blockRows;
    const hits = dense ? this.#matcher.matchBlock() : null;
    const last = hits ? end : Math.min(end, this.#candidate + stride);
    const { matched } = this;
    let { count } = this;
    for (; this.#candidate < last; this.#candidate++) {
      const row = from.rows[this.#candidate] as number;
      matched[count] = row;
      if (hits) count += hits[row - base] as number;
      else if (this.#matcher.matches(row - base)) count += 1;
    }
    this.count = count;
    this.scanned =
      this.#candidate === from.count ? from.until : (from.rows[last - 1] as number) + 1;
  }

  #scan(): void {
    const start = this.scanned;
    if (start >= this.#table.rows) return;
    const place = this.#table.placeOf(start);
    const base = start - place;
    this.#enter(start);
    const hits = place === 0 ? this.#matcher.matchBlock() : null;
    const most = hits ? blockRows : Math.min(stride, blockRows - place);
    const end = Math.min(this.#table.rows, start + most);
    this.#makeRoom(end - start);
    const { matched } = this;
    let { count } = this;
    for (let row = start; row < end; row++) {
      matched[count] = row;
      if (hits) count += hits[row - base] as number;
      else if (this.#matcher.matches(row - base)) count += 1;
    }
    this.count = count;
    this.scanned = end;
  }

  #enter(row: number): void {
    const block = this.#table.blockOf(row);
    this.#matcher.enter(block, block);
  }

  /** Room for so many more matches. */
  #makeRoom(rows: number): void {
    if (this.count + rows <= this.matched.length) return;
    const larger = new Uint32Array(Math.max(this.count + rows, this.matched.length * 2));
    larger.set(this.matched);
    this.matched = larger;
  }
}

/** The rows of a batch that match, for a list that is printed as it comes. */
export function matchingRows(
  batch: AccountBatch,
  query: FilterQuery,
  shown?: (createdAtMs: number) => string,
): number[] {
  const matcher = new RowMatcher(query, shown);
  matcher.enter(batch);
  const rows: number[] = [];
  for (let row = 0; row < batch.count; row++) if (matcher.matches(row)) rows.push(row);
  return rows;
}
