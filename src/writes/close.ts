/** Closes an open journal entry at the operator's request. */
import { AppError } from "../errors/app-error.ts";
import { text } from "../sqlite/rows.ts";
import { addRemark } from "./journal/changes.ts";
import { noEntry, readEntryRow, type State } from "./journal/entry.ts";
import type { Journal } from "./journal/open-journal.ts";
import { ownerFrom } from "./owner.ts";

export const closable = [
  "unknown",
  "rejected",
  "retryable",
  "unsent",
] as const satisfies readonly State[];

/**
 * Closes an entry and stores the operator's reason. Only an open entry can be closed. Resolves with
 * the profile of the entry, so that the caller can discard its draft. Rejects with a write error or
 * a journal error.
 */
export function close(journal: Journal, id: number, reason: string, at: number): Promise<string> {
  return journal.commit((rows) => {
    // A damaged entry can be closed, because the operator knows its outcome.
    const row = readEntryRow(rows, id);
    if (row === undefined) throw noEntry(id);
    const [state, owner] = [text(row, "state"), ownerFrom(text(row, "owner"))];
    if (reason.trim() === "")
      throw new AppError("write", "invalid", "Closing needs a reason.", { journalId: id });
    if (owner !== null) {
      throw new AppError("write", "in-use", `Process ${owner.pid} is sending entry ${id}.`, {
        journalId: id,
      });
    }
    if (!(closable as readonly string[]).includes(state)) {
      const words = `Entry ${id} is ${state}; only an unknown, rejected, retryable or unsent one is closed.`;
      throw new AppError("write", "not-possible", words, { journalId: id });
    }
    const closed = { state: "closed", reason: "closed-by-operator", ended_at: at };
    rows.update("intent", closed, "id = ?", id);
    addRemark(rows, id, { at, kind: "closed", text: reason.trim() });
    return text(row, "profile");
  });
}
