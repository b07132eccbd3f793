import type { RejectedRows } from "../../bulk/open-runs.ts";
import type { RunRecord } from "../../bulk/run-record.ts";
import type { OpenCounts, OpenEntry, OpenOutcome } from "../../writes/open-entries.ts";

/** The open work of a service from all profiles. `entries` has counts by supplier. */
export interface JournalWork {
  readonly entries: ReadonlyMap<string, OpenCounts>;
  readonly rejectedRows: readonly RejectedRows[];
  readonly runs: readonly RunRecord[];
}

export const noWork: JournalWork = { entries: new Map(), rejectedRows: [], runs: [] };

export function countsBySupplier(entries: readonly OpenEntry[]): JournalWork["entries"] {
  const suppliers = Map.groupBy(entries, (entry) => entry.import_supplier);
  return new Map(
    [...suppliers].map(([supplier, supplierEntries]) => {
      const countOf = (outcome: OpenOutcome) =>
        supplierEntries.filter((entry) => entry.outcome === outcome).length;
      return [
        supplier,
        {
          unknown: countOf("unknown"),
          rejected: countOf("rejected"),
          retryable: countOf("retryable"),
          unsent: countOf("unsent"),
        },
      ];
    }),
  );
}

/**
 * Returns the number of open entries by outcome, of the given suppliers. Default: all suppliers.
 */
export function entryCounts(
  { entries }: Pick<JournalWork, "entries">,
  suppliers: readonly string[] | null = null,
): OpenCounts {
  const sums = { unknown: 0, rejected: 0, retryable: 0, unsent: 0 };
  for (const [supplier, counts] of entries) {
    if (!isAmong(suppliers, supplier)) continue;
    sums.unknown += counts.unknown;
    sums.rejected += counts.rejected;
    sums.retryable += counts.retryable;
    sums.unsent += counts.unsent;
  }
  return sums;
}

/** Returns true for a supplier of a report or a screen that is limited to some: null is all. */
export function isAmong(suppliers: readonly string[] | null, supplier: string): boolean {
  return suppliers === null || suppliers.includes(supplier);
}
