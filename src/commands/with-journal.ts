/** Opens the journal for commands that need no profile and no service. */

import type { RunReading } from "../bulk/runs.ts";
import type { OpenJournalOptions } from "../writes/journal/open-journal.ts";
import { type Journal, openJournal } from "../writes/journal/open-journal.ts";
import { processLife } from "../writes/owner.ts";
import { openSettledJournal, recover, unsettledError } from "../writes/recover.ts";
import type { Invocation } from "./invocation.ts";

type Work<T> = (journal: Journal, reading: RunReading) => Promise<T>;

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
    return await work(journal, { journal, process, clock: io.clock });
  } finally {
    await journal.close();
  }
}

/**
 * Runs work that only reads the journal. A full or read-only disk is no error, because the user must
 * be able to see unknown entries even then.
 */
export async function withJournalToRead<T>(invocation: Invocation, work: Work<T>): Promise<T> {
  return readingJournal(invocation, async (reading, isUnsettled) => {
    if (isUnsettled)
      invocation.problem(
        "Entries that are shown as sending might have an unknown outcome: their processes can have ended, and there is no space to settle them.",
      );
    return work(reading.journal, reading);
  });
}

/**
 * Runs work that counts entries. Rejects with a journal error if the journal cannot be read, or if
 * entries of ended processes could not be settled, because the counts would be wrong.
 */
export async function withJournalToCount<T>(invocation: Invocation, work: Work<T>): Promise<T> {
  return readingJournal(invocation, (reading, isUnsettled) => {
    const { journal } = reading;
    if (isUnsettled) throw unsettledError(journal.path);
    return work(journal, reading);
  });
}

async function readingJournal<T>(
  invocation: Invocation,
  work: (reading: RunReading & { readonly journal: Journal }, isUnsettled: boolean) => Promise<T>,
): Promise<T> {
  const { io } = invocation;
  const process = processLife(io.pid);
  const { journal, onlyRead, isUnsettled } = await openSettledJournal(
    optionsFor(invocation),
    process,
    io.clock.now,
  );
  try {
    if (onlyRead !== null) invocation.progress(`${onlyRead.message} The journal is only read.`);
    return await work({ journal, process, clock: io.clock }, isUnsettled);
  } finally {
    await journal.close();
  }
}

/** With `--sandbox` the journal is in memory and empty. */
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
    memoryIn: invocation.folders.configDir,
    pid: invocation.io.pid,
    signal: invocation.io.signal,
    onWait: () =>
      invocation.progress(
        "Another process has locked the journal; waiting for it. Nothing is sent meanwhile; Ctrl-C ends the wait.",
      ),
  };
}
