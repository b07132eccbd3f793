/** Reads the open entries and runs of a service from the journal, for commands that report them. */

import type { RunReading } from "../bulk/runs.ts";
import { entryCounts, type JournalWork } from "../triage/open/work-counts.ts";
import { hasJournal } from "../writes/journal/journal-file.ts";
import { failureOf } from "./failure.ts";
import type { Invocation } from "./invocation.ts";
import type { Target } from "./target.ts";

/**
 * Reads the journal of a service. If there is no journal, returns `none` and creates no journal.
 * Rejects with a journal error.
 */
export async function readOpenWork<T>(
  invocation: Invocation,
  { profile, service }: Target,
  read: (reading: RunReading, baseUrl: string) => Promise<T>,
  none: T,
): Promise<T> {
  // The journal on the disk has no entries of an embedded sandbox.
  if (profile.baseUrl === null) return none;
  if (!hasJournal(invocation.folders.stateDir)) return none;
  const { withJournalToCount } = await import("./with-journal.ts");
  return withJournalToCount(invocation, (_, reading) => read(reading, service.baseUrl));
}

/** Reads the journal like {@link readOpenWork}. Warns and returns null if the journal is unreadable. */
export async function openWorkIfReadable<T>(
  invocation: Invocation,
  target: Target,
  read: (reading: RunReading, baseUrl: string) => Promise<T>,
  none: T,
): Promise<T | null> {
  try {
    return await readOpenWork(invocation, target, read, none);
  } catch (error) {
    invocation.io.signal.throwIfAborted();
    invocation.warn(`Entries are not known: ${failureOf(error).message}`);
    return null;
  }
}

/**
 * Reads the unknown entries. Returns a function that counts those of a supplier, or returns null if
 * the journal cannot be read.
 */
export async function unknownBySupplier(
  invocation: Invocation,
  target: Target,
): Promise<(supplier: string) => number | null> {
  const { countOpenEntries } = await import("../writes/open-entries.ts");
  const entries = await openWorkIfReadable<JournalWork["entries"]>(
    invocation,
    target,
    ({ journal }, baseUrl) => countOpenEntries(journal, baseUrl, invocation.io.signal),
    new Map(),
  );
  return (supplier) => (entries === null ? null : entryCounts({ entries }, [supplier]).unknown);
}
