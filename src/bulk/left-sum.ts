/** What the transactions of a run add up to that another turn would still be about. */

import { setImmediate } from "node:timers/promises";
import { ExactSum } from "../forms/decimals.ts";
import type { Journal } from "../writes/journal/open-journal.ts";
import { text, whole } from "../writes/journal/rows.ts";
import { isOperation } from "../writes/kinds/kind.ts";
import { amountsOf } from "../writes/prepare.ts";

/** Entries read at a time, so that others have their turn in between. */
const together = 500;

const left = `SELECT id, line, operation, body FROM intent WHERE run = ? AND run IS NOT NULL
    AND state IN ('intent', 'unsent', 'unknown', 'retryable') AND (line, id) > (?, ?)
  ORDER BY line, id LIMIT ?`;

/** The exact sum as decimal text. Rejects with JournalError. */
export async function leftSum(journal: Journal, run: string): Promise<string> {
  const sum = new ExactSum();
  for (let after = { line: -1, id: -1 }; ; ) {
    const rows = journal.read((open) => open.all(left, run, after.line, after.id, together));
    for (const row of rows) {
      after = { line: whole(row, "line"), id: whole(row, "id") };
      const operation = text(row, "operation");
      if (!(row.body instanceof Uint8Array) || !isOperation(operation)) continue;
      for (const amount of amountsOf(operation, row.body) ?? []) sum.add(amount);
    }
    if (rows.length < together) return sum.text();
    await setImmediate();
  }
}
