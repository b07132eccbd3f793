import { openRejectedRows, type RejectedRows, unfinishedRuns } from "../../bulk/open-runs.ts";
import type { RunRecord } from "../../bulk/run-record.ts";
import type { RunReading } from "../../bulk/runs.ts";
import { type Cause, causeCounter, causeKey } from "../../writes/causes.ts";
import { failedEntries } from "../../writes/failed-entries.ts";
import { listOpenEntries, type OpenEntry } from "../../writes/open-entries.ts";

/** A cause, and the runs with rows that failed by it. */
export interface ReportedCause extends Cause {
  readonly runs: readonly string[];
}

/** The open work of the journal for a report, item by item. */
export interface ReportedWork {
  /** The failures recorded since a time, grouped. */
  readonly causes: readonly ReportedCause[];
  /** Every open entry, of whatever age: most severe first, each outcome newest first. */
  readonly entries: readonly OpenEntry[];
  readonly rejectedRows: readonly RejectedRows[];
  /** Unfinished runs, newest first. */
  readonly runs: readonly RunRecord[];
}

/** The work of a machine without a journal. */
export const nothingToReport: ReportedWork = {
  causes: [],
  entries: [],
  rejectedRows: [],
  runs: [],
};

interface ReportedService {
  readonly baseUrl: string;
  /** The only suppliers to report, or null for all. */
  readonly suppliers: readonly string[] | null;
  /** Epoch milliseconds. */
  readonly since: number;
  readonly signal: AbortSignal;
}

/** Runs that a cause names. */
const mostRuns = 3;

/**
 * Reads the open work of a service, or only that of `suppliers`. Rejects with a journal error, or
 * the reason of the signal.
 */
export async function reportedWork(
  reading: RunReading,
  about: ReportedService,
): Promise<ReportedWork> {
  const { journal } = reading;
  const { baseUrl, suppliers, signal } = about;
  const isMeant = (supplier: string) => suppliers?.includes(supplier) ?? true;
  const entries = await listOpenEntries(journal, baseUrl, signal);
  const rejectedRows = await openRejectedRows(journal, baseUrl, signal);
  return {
    causes: causesSince(reading, about, isMeant),
    entries: entries.filter((entry) => isMeant(entry.import_supplier)),
    rejectedRows: rejectedRows.filter(({ supplier }) => isMeant(supplier)),
    runs: unfinishedRuns(reading, baseUrl),
  };
}

function causesSince(
  { journal }: RunReading,
  { baseUrl, since }: ReportedService,
  isMeant: (supplier: string) => boolean,
): readonly ReportedCause[] {
  const counter = causeCounter();
  const runsOf = new Map<string, Set<string>>();
  for (const page of failedEntries(journal, { baseUrl, since }))
    for (const { row, failure } of page) {
      if (!isMeant(row.import_supplier)) continue;
      counter.add(failure);
      if (row.run === null) continue;
      const key = causeKey(failure);
      const runs = runsOf.get(key) ?? new Set();
      runsOf.set(key, runs);
      if (runs.size < mostRuns) runs.add(row.run);
    }
  return counter.causes().map((cause) => ({ ...cause, runs: [...(runsOf.get(cause.key) ?? [])] }));
}
