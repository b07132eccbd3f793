/**
 * Finds the accounts of a table that have been pending longest, and the median of the pending
 * times.
 */
import { fieldText, TextColumn } from "../../accounts/columns.ts";
import type { AccountTable } from "../../accounts/table.ts";

/** An account that has been pending for a long time. */
export interface PendingAccount {
  readonly external: string;
  /**
   * The time at which this machine first saw the account pending, in epoch milliseconds. The
   * account might have been pending before.
   */
  readonly since: number;
}

/**
 * Returns the `most` accounts of a table that have been pending longest. Returns none if no age is
 * known.
 */
export function pendingLongest(table: AccountTable, most: number): readonly PendingAccount[] {
  const found: { readonly row: number; readonly since: number }[] = [];
  let first = 0;
  for (const block of table.blocks) {
    const since = block.ages?.pendingSince;
    for (let place = 0; since !== undefined && place < block.rows; place++) {
      const seconds = since[place] ?? 0;
      const isFull = found.length === most;
      if (seconds === 0 || (isFull && seconds >= (found.at(-1)?.since ?? 0))) continue;
      const at = found.findIndex((one) => one.since > seconds);
      found.splice(at < 0 ? found.length : at, 0, { row: first + place, since: seconds });
      if (isFull) found.pop();
    }
    first += block.rows;
  }
  return found.map(({ row, since }) => ({
    external: fieldText(table.blockOf(row), table.placeOf(row), TextColumn.external),
    since: since * 1_000,
  }));
}

/**
 * Approximate number of rows to sample for the median. The screen only compares ages with it, so an
 * estimate is enough.
 */
const maxSampled = 1_001;

/**
 * Estimates, from a sample, the time before which half of the pending accounts of a table were
 * first seen pending, in epoch milliseconds. Returns null if no age is known.
 */
export function medianPendingSince(table: AccountTable): number | null {
  const step = Math.max(1, Math.floor(table.rows / maxSampled));
  const found: number[] = [];
  for (let row = 0; row < table.rows; row += step) {
    const seconds = table.blockOf(row).ages?.pendingSince[table.placeOf(row)] ?? 0;
    if (seconds > 0) found.push(seconds);
  }
  if (found.length === 0) return null;
  found.sort((one, other) => one - other);
  return (found[found.length >> 1] ?? 0) * 1_000;
}
