import { type Journal, openJournal } from "../../writes/journal/open-journal.ts";
import { type ProcessLife, processLife } from "../../writes/owner.ts";
import { recover } from "../../writes/recover.ts";
import type { Invocation } from "../invocation.ts";
import { journalOptions } from "../writes/journal-options.ts";

/**
 * Does work with the journal alone: no profile and no credentials are needed. What ended processes
 * left behind is settled first, so that nothing is shown as being sent that is not.
 */
export async function withJournal<T>(
  invocation: Invocation,
  work: (journal: Journal, process: ProcessLife) => Promise<T>,
): Promise<T> {
  const { io } = invocation;
  const journal = await openJournal(journalOptions(invocation));
  try {
    const process = processLife(io.pid);
    await recover(journal, process, io.clock.now());
    return await work(journal, process);
  } finally {
    await journal.close();
  }
}
