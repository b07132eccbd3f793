/** Sorts the rows of an account table by a column, in slices. */
import { TextColumn } from "./columns.ts";
import { AccountFlag } from "./ingest/batch.ts";
import type { Sliced } from "./slices.ts";
import { radixSort, stride } from "./sort-radix.ts";
import { sortByText } from "./sort-text.ts";
import type { AccountTable } from "./table.ts";

/** The columns that a list can be sorted by, left to right. `wire` is the service's order. */
export const sortColumns = ["wire", "external", "pending", "service", "created"] as const;
export type SortColumn = (typeof sortColumns)[number];

const twoTo32 = 2 ** 32;

/**
 * Sorts the rows that exist at the start by a column: texts by code points, times by instant, and
 * `pending` by the time since which an account is pending. Unreadable times follow the others, by
 * their text. Rows without a value come last in both directions. Equal rows stay in the service's
 * order.
 */
export function* sortRows(
  table: AccountTable,
  column: Exclude<SortColumn, "wire">,
  descending: boolean,
): Sliced<Uint32Array> {
  const { rows } = table;
  const order = new Uint32Array(rows);
  const rowsWithoutValue = new Uint32Array(rows);
  let withValue = 0;
  let withoutValue = 0;
  const byAge = column === "pending";
  const nullFlag =
    column === "service"
      ? AccountFlag.serviceNull
      : column === "created"
        ? AccountFlag.createdNull
        : 0;
  for (let start = 0; start < rows; start += stride) {
    const end = Math.min(rows, start + stride);
    for (let row = start; row < end; row++) {
      const block = table.blockOf(row);
      const place = table.placeOf(row);
      const lacks = byAge
        ? !block.ages?.pendingSince[place]
        : (block.flags[place] as number) & nullFlag;
      if (lacks) rowsWithoutValue[withoutValue++] = row;
      else order[withValue++] = row;
    }
    yield;
  }
  order.set(rowsWithoutValue.subarray(0, withoutValue), withValue);
  const present = order.subarray(0, withValue);
  if (column === "created") {
    const createdAt = (row: number) => table.blockOf(row).createdAt[table.placeOf(row)] as number;
    yield* sortByTime(table, present, descending, createdAt);
  } else if (column === "pending") {
    const since = (row: number) =>
      table.blockOf(row).ages?.pendingSince[table.placeOf(row)] as number;
    // The account that is pending longest has the earliest time.
    yield* sortByTime(table, present, !descending, since);
  } else yield* sortByText(table, present, TextColumn[column], descending);
  return order;
}

/** Sorts rows in place by a time. Rows with an unreadable creation time follow, by text. */
function* sortByTime(
  table: AccountTable,
  rows: Uint32Array,
  descending: boolean,
  timeOf: (row: number) => number,
): Sliced<void> {
  const dated = new Uint32Array(rows.length);
  const undated: number[] = [];
  let count = 0;
  let earliest = Number.POSITIVE_INFINITY;
  let latest = Number.NEGATIVE_INFINITY;
  // Most times are whole seconds. A distance in seconds has fewer digits and is sorted sooner.
  let unit = 1000;
  for (let start = 0; start < rows.length; start += stride) {
    const end = Math.min(rows.length, start + stride);
    for (let at = start; at < end; at++) {
      const row = rows[at] as number;
      const time = timeOf(row);
      if (Number.isNaN(time)) {
        undated.push(row);
        continue;
      }
      dated[count++] = row;
      if (time < earliest) earliest = time;
      if (time > latest) latest = time;
      if (Math.floor(time / 1000) * 1000 !== time) unit = 1;
    }
    yield;
  }
  const distance = (row: number) =>
    (descending ? latest - timeOf(row) : timeOf(row) - earliest) / unit;
  let sorted: Uint32Array = dated.slice(0, count);
  const span = count === 0 ? 0 : (latest - earliest) / unit;
  if (span < twoTo32) sorted = yield* byKey(sorted, distance, span);
  else {
    sorted = yield* byKey(sorted, (row) => distance(row) % twoTo32, twoTo32 - 1);
    const high = Math.floor(span / twoTo32);
    sorted = yield* byKey(sorted, (row) => Math.floor(distance(row) / twoTo32), high);
  }
  rows.set(sorted);
  const undatedRows = rows.subarray(count);
  undatedRows.set(undated);
  yield* sortByText(table, undatedRows, TextColumn.created, descending);
}

function* byKey(
  rows: Uint32Array,
  keyOf: (row: number) => number,
  greatest: number,
): Sliced<Uint32Array> {
  const keys = new Uint32Array(rows.length);
  for (let start = 0; start < rows.length; start += stride) {
    const end = Math.min(rows.length, start + stride);
    for (let at = start; at < end; at++) keys[at] = keyOf(rows[at] as number);
    yield;
  }
  const sorted = yield* radixSort({ rows, keys }, greatest);
  return sorted.rows;
}
