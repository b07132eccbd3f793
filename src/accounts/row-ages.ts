import type { Block, BlockAges } from "./block.ts";
import { fieldStart, isGoneRow, isPendingRow } from "./columns.ts";
import type { Sliced } from "./slices.ts";
import type { AccountTable } from "./table.ts";

/**
 * The ages of the accounts of one supplier, by rows of the observation store. Times are epoch
 * milliseconds, and lower bounds: the first time this machine saw the state.
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

/** Rows looked up between two possible pauses. */
const stride = 512;

/** Looks up the ages of all rows of a table, and sets those of all blocks at once at the end. */
export function* takeAges(table: AccountTable, known: KnownAges): Sliced<void> {
  const { rows } = table;
  const taken: BlockAges[] = [];
  for (const block of table.blocks) {
    const pendingSince = new Uint32Array(block.rows);
    let goneAt: Uint32Array | null = null;
    for (let start = 0; start < block.rows; start += stride) {
      const end = Math.min(block.rows, start + stride);
      for (let row = start; row < end; row++) {
        // For other rows the list itself has the time.
        if (!isPendingRow(block, row) && !isGoneRow(block, row)) continue;
        const at = known.find(block.text, fieldStart(block, row, 0), block.ends[row * 3] as number);
        if (at < 0) continue;
        pendingSince[row] = secondsOf(known.pendingSince(at));
        const gone = secondsOf(known.goneAt(at));
        if (gone === 0) continue;
        goneAt ??= new Uint32Array(block.rows);
        goneAt[row] = gone;
      }
      yield;
    }
    taken.push({ pendingSince, goneAt });
  }
  // Rows that arrived meanwhile have no age, and must not be next to rows with one.
  if (table.rows !== rows) return;
  for (const [at, ages] of taken.entries()) (table.blocks[at] as Block).ages = ages;
}

/**
 * Copies the ages of the earlier load to the rows of a reload, until newer ones are known.
 * `previous` is the row of each in the earlier table, or -1.
 */
export function* keepAges(
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

/** Rounds up, so that an age is never shown longer than it is known to be. */
function secondsOf(ms: number): number {
  return ms > 0 ? Math.ceil(ms / 1_000) : 0;
}
