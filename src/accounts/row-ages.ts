import type { Block, BlockAges } from "./block.ts";
import { fieldStart, isGoneRow, isPendingRow } from "./columns.ts";
import type { Sliced } from "./slices.ts";
import type { AccountTable } from "./table.ts";

/**
 * The ages of the accounts of one supplier, by rows of the observation store. Times are epoch
 * milliseconds of the first observation. The real age can be greater.
 */
export interface KnownAges {
  /**
   * Returns the row of the account with this external account number in UTF-8, or -1 if it was
   * never observed.
   */
  find(bytes: Uint8Array, from: number, to: number): number;
  /** Returns the time since which the account is pending, or NaN if it is not. */
  pendingSince(row: number): number;
  /** Returns the time since which the account is gone, or NaN if it is not. */
  goneAt(row: number): number;
}

/** Number of rows looked up between two possible pauses. */
const stride = 512;

/** Looks up the ages of all rows of a table. Sets the ages of all blocks together at the end. */
export function* lookUpAges(table: AccountTable, known: KnownAges): Sliced<void> {
  const { rows } = table;
  const agesOfBlocks: BlockAges[] = [];
  for (const block of table.blocks) {
    const pendingSince = new Uint32Array(block.rows);
    let goneAt: Uint32Array | null = null;
    for (let start = 0; start < block.rows; start += stride) {
      const end = Math.min(block.rows, start + stride);
      for (let row = start; row < end; row++) {
        // Only pending and gone accounts have an age.
        if (!isPendingRow(block, row) && !isGoneRow(block, row)) continue;
        const storedRow = known.find(
          block.text,
          fieldStart(block, row, 0),
          block.ends[row * 3] as number,
        );
        if (storedRow < 0) continue;
        pendingSince[row] = secondsOf(known.pendingSince(storedRow));
        const goneSeconds = secondsOf(known.goneAt(storedRow));
        if (goneSeconds === 0) continue;
        goneAt ??= new Uint32Array(block.rows);
        goneAt[row] = goneSeconds;
      }
      yield;
    }
    agesOfBlocks.push({ pendingSince, goneAt });
  }
  // Rows that arrived meanwhile have no age, and must not be mixed with rows that have one.
  if (table.rows !== rows) return;
  for (const [index, ages] of agesOfBlocks.entries()) (table.blocks[index] as Block).ages = ages;
}

/**
 * Copies the ages of the earlier load to the rows of a reload, until newer ages are known.
 * `previous` has, for each later row, the earlier row or -1.
 */
export function* copyAges(
  earlier: AccountTable,
  later: AccountTable,
  previous: Int32Array,
): Sliced<void> {
  if (!earlier.blocks.some(({ ages }) => ages !== null)) return;
  let first = 0;
  for (const block of later.blocks) {
    const pendingSince = new Uint32Array(block.rows);
    for (let row = 0; row < block.rows; row++) {
      const before = previous[first + row] as number;
      if (before < 0 || !isPendingRow(block, row)) continue;
      const { ages } = earlier.blockOf(before);
      pendingSince[row] = ages?.pendingSince[earlier.placeOf(before)] ?? 0;
    }
    block.ages = { pendingSince, goneAt: null };
    first += block.rows;
    yield;
  }
}

/**
 * Converts epoch milliseconds to whole seconds, or to 0 if the time is unknown. Rounds up, so that
 * a shown age is never too long.
 */
function secondsOf(ms: number): number {
  return ms > 0 ? Math.ceil(ms / 1_000) : 0;
}
