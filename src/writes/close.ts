import { addRemark } from "./journal/changes.ts";
import { readEntry, type State } from "./journal/entry.ts";
import type { Journal } from "./journal/open-journal.ts";
import { WriteError } from "./write-error.ts";

const closable: readonly State[] = ["unknown", "retryable"];

/**
 * Settles an entry by an operator's word, with the reason kept. Only what nobody knows, or what waits
 * to be sent again, can be closed. Rejects with WriteError or JournalError.
 */
export function close(journal: Journal, id: number, reason: string, at: number): Promise<void> {
  return journal.commit((rows) => {
    const entry = readEntry(rows, id);
    if (entry === null) throw new WriteError("not-found", `The journal has no entry ${id}.`, id);
    if (reason.trim() === "") throw new WriteError("invalid", "Closing takes a reason.", id);
    if (entry.owner !== null) {
      throw new WriteError("in-use", `Process ${entry.owner.pid} is sending entry ${id}.`, id);
    }
    if (!closable.includes(entry.state)) {
      const words = `Entry ${id} is ${entry.state}; only an unknown or a retryable one is closed.`;
      throw new WriteError("not-possible", words, id);
    }
    rows.run(
      "UPDATE intent SET state = 'closed', reason = 'closed-by-operator', ended_at = ? WHERE id = ?",
      at,
      id,
    );
    addRemark(rows, id, { at, kind: "closed", text: reason.trim() });
  });
}
