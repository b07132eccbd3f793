import { openRejectedRows, unfinishedRuns } from "../../bulk/open-runs.ts";
import type { RunReading } from "../../bulk/runs.ts";
import { countOpenEntries } from "../../writes/open-entries.ts";
import type { JournalWork } from "./work-counts.ts";

/** The open work of a journal at one time, with a key that changes when it does. */
interface JournalCount {
  readonly key: string;
  readonly work: JournalWork;
}

/**
 * Counts the open work of a service, or returns null if the count is still `known`, because neither
 * the journal at this `version` nor a run has changed. Rejects with a journal error, or the reason
 * of the signal.
 */
export async function journalWork(
  reading: RunReading,
  about: { readonly baseUrl: string; readonly version: string; readonly known: string | null },
  signal: AbortSignal,
): Promise<JournalCount | null> {
  const { journal } = reading;
  const { baseUrl, version, known } = about;
  // A process that ended has left its run without a change of the journal.
  const runs = unfinishedRuns(reading, baseUrl);
  const key = JSON.stringify([version, ...runs.map(({ id, state }) => [id, state])]);
  if (key === known) return null;
  const entries = await countOpenEntries(journal, baseUrl, signal);
  return {
    key,
    work: { entries, rejectedRows: await openRejectedRows(journal, baseUrl, signal), runs },
  };
}
