/** What an earlier process left behind, put right when the next one starts. */

import { maybeWhole, text, whole } from "../sqlite/rows.ts";
import { recoverEntry } from "./journal/changes.ts";
import { isGone } from "./journal/claims.ts";
import type { Journal } from "./journal/open-journal.ts";
import { ownerFrom, type ProcessLife } from "./owner.ts";

/** Journal ids by what they were found to be. */
export interface Recovered {
  /** Were being sent: the outcome is not known. */
  readonly unknown: readonly number[];
  /** Were recorded and never sent. */
  readonly unsent: readonly number[];
}

/**
 * Settles the entries of processes that have ended: sending becomes unknown, intent becomes unsent.
 * Nothing is sent. Entries of processes that still run are left alone. Rejects with JournalError.
 */
export async function recover(
  journal: Journal,
  process: ProcessLife,
  at: number,
): Promise<Recovered> {
  const mayBeLeft = journal.read((rows) =>
    rows.get("SELECT 1 FROM intent WHERE owner IS NOT NULL LIMIT 1"),
  );
  if (mayBeLeft === undefined) return { unknown: [], unsent: [] };
  return journal.commit((rows) => {
    const unknown: number[] = [];
    const unsent: number[] = [];
    const signs = rows.all(
      `SELECT owner, max(coalesce(
         (SELECT renewed_at FROM claim WHERE claim.intent = intent.id), created_at)) AS sign
       FROM intent WHERE owner IS NOT NULL GROUP BY owner`,
    );
    for (const row of signs) {
      const kept = text(row, "owner");
      const owner = ownerFrom(kept);
      if (owner !== null && !isGone(process, owner, whole(row, "sign"), at)) continue;
      for (const left of rows.all("SELECT id FROM intent WHERE owner = ? ORDER BY id", kept)) {
        const id = maybeWhole(left, "id") ?? 0;
        const became = recoverEntry(rows, id, at);
        if (became === "unknown") unknown.push(id);
        if (became === "unsent") unsent.push(id);
      }
      rows.run("DELETE FROM claim WHERE owner = ?", kept);
    }
    return { unknown, unsent };
  });
}
