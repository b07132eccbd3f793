import type { Sliced } from "../../accounts/slices.ts";
import type { ListOrder } from "../../session/list-memory.ts";
import type { FieldValue } from "../../text/fields.ts";
import { type Column, cellValue } from "./column.ts";
import { rowFilter } from "./row-filter.ts";

/** Provides rows by index. A source of a million rows creates each row on request. */
export interface RowSource<Row> {
  readonly length: number;
  /** Returns the row, or null if it cannot be read at the moment. */
  at(index: number): Row | null;
  idAt(index: number): string;
  /** Returns the index of a row, or -1 if no row has this id. */
  indexOf(id: string): number;
  /** True if all rows are in memory, so that reading them costs little. */
  readonly isInMemory: boolean;
}

/** Returns the source of rows in memory. If two rows have one id, the id belongs to the first. */
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
        for (let index = rows.length - 1; index >= 0; index--)
          indexes.set(idOf(rows[index] as Row), index);
      }
      return indexes.get(id) ?? -1;
    },
  };
}

const pageLength = 256;
const maxPages = 32;

/**
 * Returns a source that reads its rows in pages. A row that cannot be read is null. The source does
 * not report the error, because the component that watches the data does.
 */
export function pagedSource<Row>(of: {
  readonly length: number;
  /** Reads at most `limit` rows from an index on. Can throw. */
  readonly read: (from: number, limit: number) => readonly (Row | null)[];
  readonly idAt: (index: number, row: Row | null) => string;
  readonly indexOf: (id: string) => number;
}): RowSource<Row> {
  const pages = new Map<number, readonly (Row | null)[]>();
  const pageAt = (page: number) => {
    const cached = pages.get(page);
    if (cached !== undefined) return cached;
    try {
      const read = of.read(page * pageLength, pageLength);
      pages.set(page, read);
      for (const oldest of pages.keys()) {
        if (pages.size <= maxPages) break;
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

const rowsAtOnce = 256;

/** Returns the indexes of the matching rows in order, or null for all in their own order. */
export function* shownRows<Row>(
  source: RowSource<Row>,
  columns: readonly Column<Row>[],
  { filter, order }: { readonly filter: string; readonly order: ListOrder },
  isMarked: (row: Row) => boolean,
): Sliced<Uint32Array | null> {
  const matchesAll = filter.trim() === "";
  const by = columns.find(({ id }) => id === order.id) ?? null;
  if (matchesAll && by === null && !order.descending) return null;
  const { matches } = rowFilter(filter, columns, isMarked);
  const matching = new Uint32Array(source.length);
  let length = 0;
  for (let index = 0; index < source.length; index++) {
    const row = matchesAll ? null : source.at(index);
    if (matchesAll || (row !== null && matches(row))) matching[length++] = index;
    if (index % rowsAtOnce === 0) yield;
  }
  const shown = matching.slice(0, length);
  if (by === null) return order.descending ? shown.reverse() : shown;
  return yield* sorted(shown, source, by, order.descending);
}

/**
 * Maximum number of rows that are sorted without interruption. A longer list is sorted in parts of
 * this length, which are then merged.
 */
const sortedAtOnce = 1 << 13;

/**
 * Sorts the rows. Rows without a value are last in both directions. Rows with equal values stay in
 * their order.
 */
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

function* merged(
  rows: Uint32Array,
  part: number,
  compare: (one: number, other: number) => number,
): Sliced<Uint32Array> {
  const result = new Uint32Array(rows.length);
  for (let start = 0; start < rows.length; start += 2 * part) {
    const middle = Math.min(start + part, rows.length);
    const end = Math.min(start + 2 * part, rows.length);
    let [left, right] = [start, middle];
    for (let at = start; at < end; at++) {
      const takesLeft =
        right >= end ||
        (left < middle && compare(rows[left] as number, rows[right] as number) <= 0);
      result[at] = rows[takesLeft ? left++ : right++] as number;
      if (at % sortedAtOnce === 0) yield;
    }
  }
  return result;
}

/**
 * Compares numbers by size and texts by their characters, without regard to case. Numbers come
 * before texts.
 */
function compareValues(one: string | number, other: string | number): number {
  if (typeof one === "number" && typeof other === "number") return one - other;
  if (typeof one === "number" || typeof other === "number") return typeof one === "number" ? -1 : 1;
  const [a, b] = [one.toLowerCase(), other.toLowerCase()];
  return a < b ? -1 : a > b ? 1 : 0;
}
