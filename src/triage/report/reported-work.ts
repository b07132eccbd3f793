import { openRejectedRows, type RejectedRows, unfinishedRuns } from "../../bulk/open-runs.ts";
import type { RunRecord } from "../../bulk/run-record.ts";
import type { RunReading } from "../../bulk/runs.ts";
import type { ActivityRow } from "../../writes/activity.ts";
import { type Cause, causeCounter, causeKey } from "../../writes/causes.ts";
import { type Done, doneBy } from "../../writes/done.ts";
import { failedEntries } from "../../writes/failed-entries.ts";
import { closedSince, listOpenEntries, type OpenEntry } from "../../writes/open-entries.ts";
import { isAmong } from "../open/work-counts.ts";

export interface ReportedCause extends Cause {
  readonly runs: readonly string[];
}

export interface ReportedWork {
  readonly done: readonly Done[];
  readonly closed: readonly ActivityRow[];
  readonly causes: readonly ReportedCause[];
  readonly entries: readonly OpenEntry[];
  readonly rejectedRows: readonly RejectedRows[];
  readonly runs: readonly RunRecord[];
}

export const nothingToReport: ReportedWork = {
  done: [],
  closed: [],
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

const maxRuns = 3;

/**
 * Reads the open work of a service, or only that of `suppliers`. Rejects with a journal error, or
 * with the signal's reason.
 */
export async function reportedWork(
  reading: RunReading,
  about: ReportedService,
): Promise<ReportedWork> {
  const { journal } = reading;
  const { baseUrl, since, suppliers, signal } = about;
  const isIncluded = (supplier: string) => isAmong(suppliers, supplier);
  const entries = await listOpenEntries(journal, baseUrl, signal);
  const rejectedRows = await openRejectedRows(journal, baseUrl, signal);
  const done = await doneBy(journal, { baseUrl, since }, signal);
  return {
    done: done.filter(({ importSupplier }) => isIncluded(importSupplier)),
    closed: closedSince(journal, baseUrl, since).filter((entry) =>
      isIncluded(entry.import_supplier),
    ),
    causes: causesSince(reading, about, isIncluded),
    entries: entries.filter((entry) => isIncluded(entry.import_supplier)),
    rejectedRows: rejectedRows.filter(({ supplier }) => isIncluded(supplier)),
    runs: unfinishedRuns(reading, baseUrl),
  };
}

function causesSince(
  { journal }: RunReading,
  { baseUrl, since }: ReportedService,
  isIncluded: (supplier: string) => boolean,
): readonly ReportedCause[] {
  const counter = causeCounter();
  const runsOf = new Map<string, Set<string>>();
  for (const page of failedEntries(journal, { baseUrl, since }))
    for (const { row, failure } of page) {
      if (!isIncluded(row.import_supplier)) continue;
      counter.add(failure);
      if (row.run === null) continue;
      const key = causeKey(failure);
      const runs = runsOf.get(key) ?? new Set();
      runsOf.set(key, runs);
      if (runs.size < maxRuns) runs.add(row.run);
    }
  return counter.causes().map((cause) => ({ ...cause, runs: [...(runsOf.get(cause.key) ?? [])] }));
}
