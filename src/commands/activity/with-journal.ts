import { places } from "../../settings/places.ts";
import { type Journal, openJournal } from "../../writes/journal/open-journal.ts";
import { type ProcessLife, processLife } from "../../writes/owner.ts";
import { recover } from "../../writes/recover.ts";
import type { Invocation } from "../invocation.ts";

/**
 * Does work with the journal alone: no profile and no credentials are needed. What ended processes
 * left behind is settled first, so that nothing is shown as being sent that is not.
 */
export async function withJournal<T>(
  { io }: Invocation,
  work: (journal: Journal, process: ProcessLife) => Promise<T>,
): Promise<T> {
  const journal = await openJournal({
    folder: places(io.env, io.home).stateDir,
    signal: io.signal,
  });
  try {
    const process = processLife(io.pid);
    await recover(journal, process, io.clock.now());
    return await work(journal, process);
  } finally {
    await journal.close();
  }
}
