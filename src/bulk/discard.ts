/** Taking out a run that was never recorded whole: nothing of it was sent, and nothing will be. */
import type { Journal } from "../writes/journal/open-journal.ts";
import { text, whole } from "../writes/journal/rows.ts";
import { RunError } from "./run-error.ts";
import { claimRun } from "./run-owner.ts";
import type { RunReading } from "./runs.ts";

/** So many rows at a time, so that no other process waits for all of them. */
const together = 256;

/**
 * Discards a run whose rows are not all written down, with the rows that are. Killed in the middle
 * it is discarded by the next call. Rejects with RunError (`not-found`, `in-use`; `recorded` for a
 * run that may have been started) or JournalError.
 */
export async function discardRun(reading: RunReading, run: string): Promise<void> {
  const { journal } = reading;
  await journal.commit((rows) => {
    const state = text(claimRun(rows, reading, run), "state");
    if (state !== "recording" && state !== "void") {
      const words = `Run ${run} is recorded as a whole, and stays on record.`;
      throw new RunError("recorded", words);
    }
    rows.run("UPDATE run SET state = 'void' WHERE id = ?", run);
  });
  await takeOutRows(journal, run);
  await journal.commit((rows) => rows.run("DELETE FROM run WHERE id = ? AND state = 'void'", run));
}

/** Takes out the rows of a run that is void. None was sent: a run is not started before it is whole. */
export async function takeOutRows(journal: Journal, run: string): Promise<void> {
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
