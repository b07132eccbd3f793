import type { RejectedRows } from "../../bulk/open-runs.ts";
import type { RunRecord } from "../../bulk/run-record.ts";
import type { OpenCounts, OpenEntry, OpenOutcome } from "../../writes/open-entries.ts";

/** The work of one service that the journal has open, through whichever profile it was begun. */
export interface JournalWork {
  readonly entries: ReadonlyMap<string, OpenCounts>;
  /** Refused rows of runs, newest run first. */
  readonly rejectedRows: readonly RejectedRows[];
  /** Unfinished runs, newest first. */
  readonly runs: readonly RunRecord[];
}

/** The work of a machine without a journal. */
export const noWork: JournalWork = { entries: new Map(), rejectedRows: [], runs: [] };

/** Counts entries by supplier and outcome. */
export function countsBySupplier(entries: readonly OpenEntry[]): JournalWork["entries"] {
  const suppliers = Map.groupBy(entries, (entry) => entry.import_supplier);
  return new Map(
    [...suppliers].map(([supplier, some]) => {
      const of = (outcome: OpenOutcome) => some.filter((one) => one.outcome === outcome).length;
      return [
        supplier,
        {
          unknown: of("unknown"),
          rejected: of("rejected"),
          retryable: of("retryable"),
          unsent: of("unsent"),
        },
      ];
    }),
  );
}

/** Returns the number of open entries by outcome: of all suppliers, or of these. */
export function entryCounts(
  { entries }: Pick<JournalWork, "entries">,
  suppliers: readonly string[] | null = null,
): OpenCounts {
  const sums = { unknown: 0, rejected: 0, retryable: 0, unsent: 0 };
  for (const [supplier, counts] of entries) {
    if (suppliers !== null && !suppliers.includes(supplier)) continue;
    sums.unknown += counts.unknown;
    sums.rejected += counts.rejected;
    sums.retryable += counts.retryable;
    sums.unsent += counts.unsent;
  }
  return sums;
}
