import type { AppError } from "../../errors/app-error.ts";
import { places } from "../../settings/places.ts";
import { type Journal, openJournal } from "../../writes/journal/open-journal.ts";
import { isAboutWriting, openJournalToRead } from "../../writes/journal/read-journal.ts";
import { recover } from "../../writes/open-writes.ts";
import { type ProcessLife, processLife } from "../../writes/owner.ts";
import type { Invocation } from "../invocation.ts";
import { journalOptions } from "../writes/journal-options.ts";
import { narrate } from "../writes/progress.ts";

type Work<T> = (journal: Journal, process: ProcessLife) => Promise<T>;

/**
 * Does work with the journal alone: no profile and no credentials are needed. What ended processes
 * left behind is settled first, so that nothing is shown as being sent that is not.
 */
export async function withJournal<T>(invocation: Invocation, work: Work<T>): Promise<T> {
  const { io } = invocation;
  const journal = await openJournal(optionsFor(invocation));
  try {
    const process = processLife(io.pid);
    await recover(journal, process, io.clock.now());
    return await work(journal, process);
  } finally {
    await journal.close();
  }
}

/**
 * The same for work that only reads, which is possible on a full or read-only disk as well: that is
 * when an operator has to see what is unknown.
 */
export async function withJournalToRead<T>(invocation: Invocation, work: Work<T>): Promise<T> {
  const { io } = invocation;
  const { journal, onlyRead } = await openJournalToRead(optionsFor(invocation));
  try {
    const process = processLife(io.pid);
    const why = onlyRead ?? (await unrecovered(journal, process, io.clock.now()));
    if (why !== null)
      narrate(
        invocation,
        `${why.message} The journal is only read: what ended processes were sending is still shown as sending.`,
      );
    return await work(journal, process);
  } finally {
    await journal.close();
  }
}

/** Why what ended processes left cannot be settled; null once it is. */
async function unrecovered(
  journal: Journal,
  process: ProcessLife,
  now: number,
): Promise<AppError<"journal"> | null> {
  try {
    await recover(journal, process, now);
    return null;
  } catch (error) {
    if (!isAboutWriting(error)) throw error;
    return error;
  }
}

/** The journal that a command without a service means; that of an embedded sandbox is empty. */
function optionsFor(invocation: Invocation) {
  const { globals, io } = invocation;
  if (!globals.sandbox) return journalOptions(invocation, places(io.env, io.home).stateDir);
  narrate(
    invocation,
    "An embedded sandbox has its journal in memory, and both end with their command. `supplyline sandbox` keeps one running; its entries are in the journal on disk.",
  );
  return journalOptions(invocation, null);
}
