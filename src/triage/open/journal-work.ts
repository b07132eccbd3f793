import { openRejectedRows, unfinishedRuns } from "../../bulk/open-runs.ts";
import type { RunReading } from "../../bulk/runs.ts";
import { countOpenEntries } from "../../writes/open-entries.ts";
import type { JournalWork } from "./work-counts.ts";

/** The open work of a journal at one time. `key` changes if the work might have changed. */
interface JournalCount {
  readonly key: string;
  readonly work: JournalWork;
}

/**
 * Counts the open work of a service. Returns null if `known` is still the key of the count, because
 * neither the journal (`version`) nor a run has changed. The runs in `running` are not counted:
 * between the recording and the first request, a run has no process. Rejects with a journal error,
 * or with the signal's reason.
 */
export async function journalWork(
  reading: RunReading,
  about: {
    readonly baseUrl: string;
    readonly version: string;
    readonly known: string | null;
    readonly running: ReadonlySet<string>;
  },
  signal: AbortSignal,
): Promise<JournalCount | null> {
  const { journal } = reading;
  const { baseUrl, version, known, running } = about;
  // If a process ends, the state of its run changes without a change of the journal.
  const runs = unfinishedRuns(reading, baseUrl).filter(({ id }) => !running.has(id));
  const key = JSON.stringify([version, ...runs.map(({ id, state }) => [id, state])]);
  if (key === known) return null;
  const entries = await countOpenEntries(journal, baseUrl, signal);
  return {
    key,
    work: { entries, rejectedRows: await openRejectedRows(journal, baseUrl, signal), runs },
  };
}
