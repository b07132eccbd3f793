import { isGone } from "../writes/journal/claims.ts";
import { type Row, text, whole } from "../writes/journal/rows.ts";
import { ownerFrom } from "../writes/owner.ts";
import type { WriteContext } from "../writes/submit.ts";

/** The number of the process that is at a run now; null while none is. Throws JournalError. */
export function processAt(writes: WriteContext, run: string): number | null {
  const row = writes.journal.read((rows) =>
    rows.get("SELECT owner, renewed_at FROM run WHERE id = ?", run),
  );
  return row === undefined ? null : livingOwner(writes, row);
}

/**
 * The runs of the context's profile and service that have stopped with rows left to send, whether
 * someone stopped them or their process ended, newest first. Throws JournalError.
 */
export function runsLeft(writes: WriteContext): readonly string[] {
  const { journal, profile, service } = writes;
  return journal
    .read((rows) =>
      rows.all(
        `SELECT id, state, owner, renewed_at FROM run
         WHERE profile = ? AND base_url = ?
           AND (state = 'stopped' OR (state IN ('recording', 'running') AND owner IS NOT NULL))
           AND (state = 'recording' OR row_count > (SELECT coalesce(sum(n), 0) FROM run_count
             WHERE run = run.id AND outcome NOT IN ('waiting', 'sending', 'retryable')))
         ORDER BY created_at DESC`,
        profile,
        service.baseUrl,
      ),
    )
    .filter((row) => text(row, "state") === "stopped" || livingOwner(writes, row) === null)
    .map((row) => text(row, "id"));
}

function livingOwner({ process, clock }: WriteContext, row: Row): number | null {
  const owner = ownerFrom(text(row, "owner"));
  if (owner === null) return null;
  return isGone(process, owner, whole(row, "renewed_at"), clock.now()) ? null : owner.pid;
}
