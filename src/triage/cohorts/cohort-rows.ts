import type { AccountSource } from "../../accounts/account-load.ts";
import { fieldStart, type RowColumns } from "../../accounts/columns.ts";
import { type AccountBatch, AccountFlag } from "../../accounts/ingest/batch.ts";
import type { AccountTable } from "../../accounts/table.ts";
import type { NumberSet } from "../number-set.ts";

/**
 * The accounts of a cohort that are in a loaded table, as a list: each once, in the order of the table.
 * Rows come block by block, so that a large table does not hold other work up.
 */
export function cohortRows(table: AccountTable, numbers: NumberSet): AccountSource {
  return async function* source() {
    const taken = new Uint8Array(numbers.rows);
    let rows = 0;
    for (const block of table.blocks) {
      const chosen: number[] = [];
      for (let row = 0; row < block.rows; row++) {
        const from = fieldStart(block, row, 0);
        const member = numbers.find(block.text, from, block.ends[row * 3] as number);
        if (member < 0 || taken[member] === 1) continue;
        taken[member] = 1;
        chosen.push(row);
      }
      if (chosen.length === 0) continue;
      rows += chosen.length;
      yield batchOf(block, chosen);
    }
    return { rows, unreadableRows: 0, bytes: 0, receivedAt: 0 };
  };
}

/** The rows of a batch whose accounts are in a cohort. */
export function rowsWithin(batch: AccountBatch, numbers: NumberSet): AccountBatch {
  const chosen: number[] = [];
  for (let row = 0; row < batch.count; row++) {
    const from = fieldStart(batch, row, 0);
    if (numbers.find(batch.text, from, batch.ends[row * 3] as number) >= 0) chosen.push(row);
  }
  return batchOf(batch, chosen);
}

/** Some rows with memory of their own; what the columns do not hold is left out. */
function batchOf(block: RowColumns, rows: readonly number[]): AccountBatch {
  const { text, ends, flags, createdAt } = block;
  const bytes = rows.reduce(
    (sum, row) => sum + (ends[row * 3 + 2] as number) - fieldStart(block, row, 0),
    0,
  );
  const batch = {
    count: rows.length,
    text: new Uint8Array(bytes),
    ends: new Uint32Array(rows.length * 3),
    flags: new Uint8Array(rows.length),
    createdAt: new Float64Array(rows.length),
    extras: new Map<number, string>(),
  };
  let length = 0;
  for (const [at, row] of rows.entries()) {
    const from = fieldStart(block, row, 0);
    batch.text.set(text.subarray(from, ends[row * 3 + 2]), length);
    for (let column = 0; column < 3; column++)
      batch.ends[at * 3 + column] = length + (ends[row * 3 + column] as number) - from;
    length = batch.ends[at * 3 + 2] as number;
    batch.flags[at] = (flags[row] as number) & ~AccountFlag.extras;
    batch.createdAt[at] = createdAt[row] as number;
  }
  return batch;
}
