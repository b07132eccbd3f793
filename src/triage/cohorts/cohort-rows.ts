/** Selects the accounts of a cohort from a loaded table or a batch. */
import type { AccountSource } from "../../accounts/account-load.ts";
import {
  chosenRows,
  fieldEnd,
  fieldStart,
  isPendingRow,
  TextColumn,
} from "../../accounts/columns.ts";
import type { AccountBatch } from "../../accounts/ingest/batch.ts";
import type { Sliced } from "../../accounts/slices.ts";
import type { AccountTable } from "../../accounts/table.ts";
import type { NumberSet } from "../account-numbers.ts";

/**
 * Returns a source of the accounts of a cohort that are in a loaded table, each once, in the order
 * of the table. Yields the rows block by block, so that a large table does not block other work.
 */
export function cohortRows(table: AccountTable, numbers: NumberSet): AccountSource {
  return async function* source() {
    let rows = 0;
    for (const [block, chosen] of membersIn(table, numbers)) {
      if (chosen.length === 0) continue;
      rows += chosen.length;
      yield chosenRows(block, chosen);
    }
    return { rows, unreadableRows: 0, bytes: 0, receivedAt: 0 };
  };
}

function* membersIn(table: AccountTable, numbers: NumberSet) {
  const isTaken = new Uint8Array(numbers.rows);
  for (const block of table.blocks) {
    const chosen: number[] = [];
    for (let row = 0; row < block.rows; row++) {
      const from = fieldStart(block, row, 0);
      const member = numbers.find(block.text, from, fieldEnd(block, row, TextColumn.external));
      if (member < 0 || isTaken[member] === 1) continue;
      isTaken[member] = 1;
      chosen.push(row);
    }
    yield [block, chosen] as const;
  }
}

export interface ListedAccounts {
  readonly listed: number;
  readonly pending: number;
}

export function* countRows(table: AccountTable, numbers: NumberSet): Sliced<ListedAccounts> {
  let listed = 0;
  let pending = 0;
  for (const [block, chosen] of membersIn(table, numbers)) {
    listed += chosen.length;
    for (const row of chosen) if (isPendingRow(block, row)) pending += 1;
    yield;
  }
  return { listed, pending };
}

export function rowsWithin(batch: AccountBatch, numbers: NumberSet): AccountBatch {
  const chosen: number[] = [];
  for (let row = 0; row < batch.count; row++) {
    const from = fieldStart(batch, row, 0);
    if (numbers.find(batch.text, from, fieldEnd(batch, row, TextColumn.external)) >= 0)
      chosen.push(row);
  }
  return chosenRows(batch, chosen);
}
