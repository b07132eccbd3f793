import { canGoOn, type RunRecord } from "../../bulk/run-record.ts";
import { listRuns, type RunReading } from "../../bulk/runs.ts";
import type { ActivityRow } from "../../writes/activity.ts";
import { listActivity } from "../../writes/activity.ts";
import { type Cause, causeCounter, causeKey } from "../../writes/causes.ts";
import { failedEntries } from "../../writes/failed-entries.ts";

/** A cause, and the runs whose rows failed by it. */
export interface ReportedCause extends Cause {
  readonly runs: readonly string[];
}

/** What the journal of a profile leaves open. */
export interface OpenWork {
  /** The failures recorded since a time, grouped. */
  readonly causes: readonly ReportedCause[];
  /** Every entry that is unknown or retryable, of whatever age, newest first. */
  readonly entries: readonly ActivityRow[];
  /** Runs that have stopped, newest first. */
  readonly runs: readonly RunRecord[];
}

/** Runs that a cause names. */
const mostRuns = 3;

/** Reads what is open at a service; of some suppliers alone where they are named. Throws JournalError. */
export function openWork(
  reading: RunReading,
  about: {
    readonly profile: string;
    readonly baseUrl: string;
    /** Null: all of them. */
    readonly suppliers: readonly string[] | null;
    /** Epoch milliseconds. */
    readonly since: number;
  },
): OpenWork {
  const { journal } = reading;
  const { profile, baseUrl, suppliers, since } = about;
  const isMeant = (row: ActivityRow) => suppliers?.includes(row.import_supplier) ?? true;
  const counter = causeCounter();
  const runsOf = new Map<string, Set<string>>();
  for (const page of failedEntries(journal, { profile, baseUrl, since }))
    for (const { row, failure } of page) {
      if (!isMeant(row)) continue;
      counter.add(failure);
      if (row.run === null) continue;
      const key = causeKey(failure);
      const runs = runsOf.get(key) ?? new Set();
      runsOf.set(key, runs);
      if (runs.size < mostRuns) runs.add(row.run);
    }
  const open = { outcomes: ["unknown", "retryable"], profile, baseUrl } as const;
  return {
    causes: counter
      .causes()
      .map((cause) => ({ ...cause, runs: [...(runsOf.get(cause.key) ?? [])] })),
    entries: listActivity(journal, open, "unknown-first").filter(isMeant),
    runs: listRuns(reading).filter((run) => isOf(run, about) && isUnfinished(run)),
  };
}

function isOf(run: RunRecord, { profile, baseUrl }: { profile: string; baseUrl: string }): boolean {
  return run.profile === profile && run.baseUrl === baseUrl;
}

/** What the console composed, and did not record to its end, can only be discarded. */
function isUnfinished(run: RunRecord): boolean {
  return run.state === "stopped" || (run.state === "unrecorded" && canGoOn(run));
}
