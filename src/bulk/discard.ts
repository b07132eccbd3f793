/** Discards a run that was not completely recorded. No row of such a run was sent. */

import { AppError } from "../errors/app-error.ts";
import { text, whole } from "../sqlite/rows.ts";
import type { Journal } from "../writes/journal/open-journal.ts";
import { claimRun } from "./run-owner.ts";
import type { RunReading } from "./runs.ts";

/** Maximum number of rows in one commit, so that other processes can use the journal in between. */
const together = 256;

/**
 * Discards a run whose rows are not all recorded, and deletes the recorded rows. After a kill, the
 * next call deletes the rest. Rejects with a journal error or a run error (`not-found`, `in-use`,
 * or `recorded` for a completely recorded run).
 */
export async function discardRun(reading: RunReading, run: string): Promise<void> {
  const { journal } = reading;
  await journal.commit((rows) => {
    const state = text(claimRun(rows, reading, run), "state");
    if (state !== "recording" && state !== "void") {
      const words = `Run ${run} is fully recorded and cannot be discarded.`;
      throw new AppError("run", "recorded", words);
    }
    rows.update("run", { state: "void" }, "id = ?", run);
  });
  await deleteRows(journal, run);
  await journal.commit((rows) => rows.run("DELETE FROM run WHERE id = ? AND state = 'void'", run));
}

/**
 * Deletes the rows of a void run. No row was sent, because a run starts only after it is completely
 * recorded.
 */
export async function deleteRows(journal: Journal, run: string): Promise<void> {
  for (;;) {
    const left = await journal.commit((rows) => {
      const found = rows.all(
        "SELECT line, intent FROM run_row WHERE run = ? LIMIT ?",
        run,
        together,
      );
      for (const row of found) {
        rows.run("DELETE FROM run_row WHERE run = ? AND line = ?", run, whole(row, "line"));
        const { intent } = row;
        if (intent !== null) {
          rows.run("DELETE FROM intent WHERE id = ? AND state = 'intent'", whole(row, "intent"));
        }
      }
      return found.length;
    });
    if (left === 0) return;
  }
}
