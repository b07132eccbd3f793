import { fieldStart } from "./columns.ts";
import { AccountFlag } from "./ingest/batch.ts";
import type { Sliced } from "./slices.ts";
import { type AccountTable, indexing } from "./table.ts";

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
      let same = sameFields(earlier, before, later, row);
      if (same === 0) {
        if (!earlier.indexed) yield* indexing(earlier);
        before = lookUp(earlier, later, row);
        same = sameFields(earlier, before, later, row);
      }
      if (before < 0) {
        changes[row] = RowChange.added;
        added += 1;
        continue;
      }
      expected = before + 1;
      matched[before] = 1;
      previous[row] = before;
      if (same < 3) {
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

const nulls = AccountFlag.serviceNull | AccountFlag.createdNull;

/**
 * Returns the number of fields that two rows have in common, from the external account number on: 3 if
 * the rows are equal, and 0 if there is no row `rowA` or it has another identity.
 */
function sameFields(a: AccountTable, rowA: number, b: AccountTable, rowB: number): number {
  if (rowA < 0 || rowA >= a.rows) return 0;
  const blockA = a.blockOf(rowA);
  const blockB = b.blockOf(rowB);
  const placeA = a.placeOf(rowA);
  const placeB = b.placeOf(rowB);
  const textA = blockA.text;
  const textB = blockB.text;
  let at = fieldStart(blockA, placeA, 0);
  const shift = fieldStart(blockB, placeB, 0) - at;
  for (let column = 0; column < 3; column++) {
    const end = blockA.ends[placeA * 3 + column] as number;
    if ((blockB.ends[placeB * 3 + column] as number) - shift !== end) return column;
    // Numbers of one list often have the same beginning, so the last characters are compared first.
    for (let last = end - 1; last >= at; last--)
      if (textA[last] !== textB[last + shift]) return column;
    at = end;
  }
  const flags = (blockA.flags[placeA] as number) ^ (blockB.flags[placeB] as number);
  return flags & nulls ? 2 : 3;
}
