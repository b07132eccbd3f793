/** Compares two loads of an account list, and finds the added, changed and removed accounts. */
import { fieldStart } from "./columns.ts";
import { AccountFlag } from "./ingest/batch.ts";
import type { Sliced } from "./slices.ts";
import { type AccountTable, indexing } from "./table.ts";

/** The change of a row since the previous load. */
export const RowChange = { none: 0, added: 1, changed: 2 } as const;

/** The differences between two loads of one list, by external account number. */
export interface TableDifference {
  readonly added: number;
  /**
   * Number of accounts with another service account number or creation time. Most of them were
   * imported.
   */
  readonly changed: number;
  readonly removed: number;
  /** One of {@link RowChange} per row of the later table. */
  readonly changes: Uint8Array;
  /**
   * The row of the earlier table with the same identity, or -1, for each row of the later table.
   */
  readonly previous: Int32Array;
}

/** Number of rows compared between two possible pauses. */
const stride = 2048;

/** Compares two tables. Rows in the same order need no lookup. */
export function* tableDifference(
  earlier: AccountTable,
  later: AccountTable,
): Sliced<TableDifference> {
  const changes = new Uint8Array(later.rows);
  const previous = new Int32Array(later.rows).fill(-1);
  const matched = new Uint8Array(earlier.rows);
  let added = 0;
  let changed = 0;
  let expected = 0;
  for (let start = 0; start < later.rows; start += stride) {
    const end = Math.min(later.rows, start + stride);
    for (let row = start; row < end; row++) {
      let before = expected;
      if (before >= earlier.rows || !sameIdentity(earlier, before, later, row)) {
        if (!earlier.indexed) yield* indexing(earlier);
        before = lookUp(earlier, later, row);
      }
      if (before < 0) {
        changes[row] = RowChange.added;
        added += 1;
        continue;
      }
      expected = before + 1;
      matched[before] = 1;
      previous[row] = before;
      if (!sameContent(earlier, before, later, row)) {
        changes[row] = RowChange.changed;
        changed += 1;
      }
    }
    yield;
  }
  let removed = 0;
  for (let start = 0; start < earlier.rows; start += stride) {
    const end = Math.min(earlier.rows, start + stride);
    for (let row = start; row < end; row++) {
      if (matched[row] === 1) continue;
      // An account that is listed twice can be matched by its other row.
      if (!later.indexed) yield* indexing(later);
      if (lookUp(later, earlier, row) < 0 && lookUp(earlier, earlier, row) === row) removed += 1;
    }
    yield;
  }
  return { added, changed, removed, changes, previous };
}

function lookUp(table: AccountTable, other: AccountTable, row: number): number {
  const block = other.blockOf(row);
  const place = other.placeOf(row);
  return table.rowOfBytes(block.text, fieldStart(block, place, 0), block.ends[place * 3] as number);
}

function sameIdentity(a: AccountTable, rowA: number, b: AccountTable, rowB: number): boolean {
  return sameText(a, rowA, b, rowB, 0);
}

function sameContent(a: AccountTable, rowA: number, b: AccountTable, rowB: number): boolean {
  const mask = AccountFlag.serviceNull | AccountFlag.createdNull;
  const flagsA = (a.blockOf(rowA).flags[a.placeOf(rowA)] as number) & mask;
  const flagsB = (b.blockOf(rowB).flags[b.placeOf(rowB)] as number) & mask;
  return flagsA === flagsB && sameText(a, rowA, b, rowB, 1) && sameText(a, rowA, b, rowB, 2);
}

function sameText(
  a: AccountTable,
  rowA: number,
  b: AccountTable,
  rowB: number,
  column: number,
): boolean {
  const blockA = a.blockOf(rowA);
  const blockB = b.blockOf(rowB);
  const placeA = a.placeOf(rowA);
  const placeB = b.placeOf(rowB);
  const fromA = fieldStart(blockA, placeA, column);
  const fromB = fieldStart(blockB, placeB, column);
  const length = (blockA.ends[placeA * 3 + column] as number) - fromA;
  if ((blockB.ends[placeB * 3 + column] as number) - fromB !== length) return false;
  for (let at = length - 1; at >= 0; at--) {
    if (blockA.text[fromA + at] !== blockB.text[fromB + at]) return false;
  }
  return true;
}
