import type { Sliced } from "../../accounts/slices.ts";
import type { ListOrder } from "../../session/list-memory.ts";
import type { FieldValue } from "../../text/fields.ts";
import { type Column, cellValue } from "./column.ts";
import { rowFilter } from "./row-filter.ts";

/** Rows by their index; a source of a million makes each row when it is asked for. */
export interface RowSource<Row> {
  readonly length: number;
  /** Returns the row, or null if it cannot be read at the moment. */
  at(index: number): Row | null;
  idAt(index: number): string;
  /** -1 if no row has this id. */
  indexOf(id: string): number;
  /** True if all rows are in memory, so that reading them costs little. */
  readonly isInMemory: boolean;
}

/** Rows that are all in memory. Of two with one id the first one has it. */
export function arraySource<Row>(rows: readonly Row[], idOf: (row: Row) => string): RowSource<Row> {
  let indexes: Map<string, number> | null = null;
  return {
    length: rows.length,
    isInMemory: true,
    at: (index) => rows[index] ?? null,
    idAt: (index) => idOf(rows[index] as Row),
    indexOf(id) {
      if (indexes === null) {
        indexes = new Map();
        for (let at = rows.length - 1; at >= 0; at--) indexes.set(idOf(rows[at] as Row), at);
      }
      return indexes.get(id) ?? -1;
    },
  };
}

/** Rows of one reading of a paged source, and readings that are remembered. */
const pageLength = 256;
const mostPages = 32;

/**
 * Rows that are read some at a time, and of which a few pages are remembered. Rows that cannot be read
 * are missing: whoever follows their origin reports why.
 */
export function pagedSource<Row>(of: {
  readonly length: number;
  /** The rows from an index on; fewer at the end. It can throw. */
  readonly read: (from: number, limit: number) => readonly (Row | null)[];
  readonly idAt: (index: number, row: Row | null) => string;
  readonly indexOf: (id: string) => number;
}): RowSource<Row> {
  const pages = new Map<number, readonly (Row | null)[]>();
  const pageAt = (page: number) => {
    const known = pages.get(page);
    if (known !== undefined) return known;
    try {
      const read = of.read(page * pageLength, pageLength);
      pages.set(page, read);
      for (const oldest of pages.keys()) {
        if (pages.size <= mostPages) break;
        pages.delete(oldest);
      }
      return read;
    } catch {
      return [];
    }
  };
  const at = (index: number) => pageAt(Math.floor(index / pageLength))[index % pageLength] ?? null;
  return {
    length: of.length,
    isInMemory: false,
    at,
    idAt: (index) => of.idAt(index, at(index)),
    indexOf(id) {
      try {
        return of.indexOf(id);
      } catch {
        return -1;
      }
    },
  };
}

/** Rows that are read between two points where the work can be interrupted. */
const rowsAtOnce = 256;

/**
 * Finds the rows that match a filter, in an order: their indexes, or null if the rows are shown as
 * they are.
 */
export function* shownRows<Row>(
  source: RowSource<Row>,
  columns: readonly Column<Row>[],
  { filter, order }: { readonly filter: string; readonly order: ListOrder },
): Sliced<Uint32Array | null> {
  const isWhole = filter.trim() === "";
  const by = columns.find(({ id }) => id === order.id) ?? null;
  if (isWhole && by === null && !order.descending) return null;
  const { matches } = rowFilter(filter, columns);
  const found = new Uint32Array(source.length);
  let length = 0;
  for (let index = 0; index < source.length; index++) {
    const row = isWhole ? null : source.at(index);
    if (isWhole || (row !== null && matches(row))) found[length++] = index;
    if (index % rowsAtOnce === 0) yield;
  }
  const shown = found.slice(0, length);
  if (by === null) return order.descending ? shown.reverse() : shown;
  return yield* sorted(shown, source, by, order.descending);
}

/** Rows that are sorted in one go; longer lists are merged from parts of this length. */
const sortedAtOnce = 1 << 13;

/** Rows without a value come last either way; rows that are alike stay in their order. */
function* sorted<Row>(
  shown: Uint32Array,
  source: RowSource<Row>,
  by: Column<Row>,
  descending: boolean,
): Sliced<Uint32Array> {
  const keys: FieldValue[] = new Array(source.length);
  for (const [at, index] of shown.entries()) {
    const row = source.at(index);
    keys[index] = row === null ? null : by.sort === undefined ? cellValue(by, row) : by.sort(row);
    if (at % rowsAtOnce === 0) yield;
  }
  const compare = (one: number, other: number) => {
    const [a = null, b = null] = [keys[one], keys[other]];
    if (a === null || b === null) return Number(a === null) - Number(b === null) || one - other;
    const compared = compareValues(a, b);
    return (descending ? -compared : compared) || one - other;
  };
  let rows = shown;
  for (let at = 0; at < rows.length; at += sortedAtOnce) {
    rows.subarray(at, at + sortedAtOnce).sort(compare);
    yield;
  }
  for (let part = sortedAtOnce; part < rows.length; part *= 2) {
    rows = yield* merged(rows, part, compare);
  }
  return rows;
}

/** Merges each two neighboring sorted parts of this length. */
function* merged(
  rows: Uint32Array,
  part: number,
  compare: (one: number, other: number) => number,
): Sliced<Uint32Array> {
  const out = new Uint32Array(rows.length);
  for (let start = 0; start < rows.length; start += 2 * part) {
    const middle = Math.min(start + part, rows.length);
    const end = Math.min(start + 2 * part, rows.length);
    let [left, right] = [start, middle];
    for (let at = start; at < end; at++) {
      const takesLeft =
        right >= end ||
        (left < middle && compare(rows[left] as number, rows[right] as number) <= 0);
      out[at] = rows[takesLeft ? left++ : right++] as number;
      if (at % sortedAtOnce === 0) yield;
    }
  }
  return out;
}

/** Numbers by size and before texts; texts by their characters, whatever their case. */
function compareValues(one: string | number, other: string | number): number {
  if (typeof one === "number" && typeof other === "number") return one - other;
  if (typeof one === "number" || typeof other === "number") return typeof one === "number" ? -1 : 1;
  const [a, b] = [one.toLowerCase(), other.toLowerCase()];
  return a < b ? -1 : a > b ? 1 : 0;
}
