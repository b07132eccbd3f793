import { isGone } from "../writes/journal/claims.ts";
import { type Row, text, whole } from "../writes/journal/rows.ts";
import { ownerFrom } from "../writes/owner.ts";
import type { WriteContext } from "../writes/submit.ts";
import { readRun } from "./runs.ts";

/** The number of the process that is at a run now; null while none is. Throws JournalError. */
export function processAt(writes: WriteContext, run: string): number | null {
  const row = writes.journal.read((rows) =>
    rows.get("SELECT owner, renewed_at FROM run WHERE id = ?", run),
  );
  return row === undefined ? null : livingOwner(writes, row);
}

/**
 * The runs of the context's profile and service whose process has ended in the middle of them,
 * newest first. Throws JournalError.
 */
export function runsLeft(writes: WriteContext): readonly string[] {
  const { journal, profile, service } = writes;
  return journal
    .read((rows) =>
      rows.all(
        `SELECT id, owner, renewed_at FROM run
         WHERE profile = ? AND base_url = ? AND state IN ('recording', 'running') AND owner IS NOT NULL
         ORDER BY created_at DESC`,
        profile,
        service.baseUrl,
      ),
    )
    .filter((row) => livingOwner(writes, row) === null)
    .map((row) => text(row, "id"))
    .filter((id) => readRun(writes, id).state !== "ended");
}

function livingOwner({ process, clock }: WriteContext, row: Row): number | null {
  const owner = ownerFrom(text(row, "owner"));
  if (owner === null) return null;
  return isGone(process, owner, whole(row, "renewed_at"), clock.now()) ? null : owner.pid;
}
