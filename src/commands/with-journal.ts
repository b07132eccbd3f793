/** Opens the journal for commands that need no profile and no service. */

import type { AppError } from "../errors/app-error.ts";
import type { OpenJournalOptions } from "../writes/journal/open-journal.ts";
import {
  isAboutWriting,
  type Journal,
  openJournal,
  openJournalToRead,
} from "../writes/journal/open-journal.ts";
import { recover } from "../writes/open-writes.ts";
import { type ProcessLife, processLife } from "../writes/owner.ts";
import type { Invocation } from "./invocation.ts";

type Work<T> = (journal: Journal, process: ProcessLife) => Promise<T>;

/**
 * Runs work with the journal. Entries of ended processes are settled first, so that they are not
 * shown as `sending`.
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
 * Runs work that only reads the journal. A full or read-only disk is no error, because the user must
 * be able to see unknown entries even then.
 */
export async function withJournalToRead<T>(invocation: Invocation, work: Work<T>): Promise<T> {
  const { io } = invocation;
  const { journal, onlyRead } = await openJournalToRead(optionsFor(invocation));
  try {
    const process = processLife(io.pid);
    const problem = onlyRead ?? (await recoverIfWritable(journal, process, io.clock.now()));
    if (problem !== null)
      invocation.progress(
        `${problem.message} The journal is opened read-only: entries of ended processes are still shown as sending.`,
      );
    return await work(journal, process);
  } finally {
    await journal.close();
  }
}

/**
 * Settles the entries of ended processes. Returns null, or the error if the journal cannot be
 * written.
 */
async function recoverIfWritable(
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

/**
 * Returns the options for opening the journal. With `--sandbox` the journal is in memory and empty.
 */
function optionsFor(invocation: Invocation) {
  if (!invocation.globals.sandbox) return journalOptions(invocation, invocation.folders.stateDir);
  invocation.progress(
    "An embedded sandbox and its journal end with the command. `supplyline sandbox` keeps one running; its entries are in the journal on disk.",
  );
  return journalOptions(invocation, null);
}

/**
 * Returns the options for opening the journal of a command. `folder` is null for a journal in
 * memory. A notice is printed while another process has locked the journal.
 */
export function journalOptions(invocation: Invocation, folder: string | null): OpenJournalOptions {
  return {
    folder,
    signal: invocation.io.signal,
    onWait: () =>
      invocation.progress(
        "Another process has locked the journal; waiting for it. Nothing is sent meanwhile; Ctrl-C ends the wait.",
      ),
  };
}
