import { isGone } from "../writes/journal/claims.ts";
import { text, whole } from "../writes/journal/rows.ts";
import { ownerFrom } from "../writes/owner.ts";
import type { WriteContext } from "../writes/submit.ts";

/** The number of the process that is at a run now; null while none is. Throws JournalError. */
export function processAt(writes: WriteContext, run: string): number | null {
  const { journal, process, clock } = writes;
  const row = journal.read((rows) =>
    rows.get("SELECT owner, renewed_at FROM run WHERE id = ?", run),
  );
  const owner = row === undefined ? null : ownerFrom(text(row, "owner"));
  if (row === undefined || owner === null) return null;
  return isGone(process, owner, whole(row, "renewed_at"), clock.now()) ? null : owner.pid;
}
