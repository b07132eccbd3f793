import type { RowsLeftAlone, RunCounts } from "../../src/bulk/run-record.ts";

/** The counts of a run without rows. */
export const none: RunCounts = {
  waiting: 0,
  sending: 0,
  confirmed: 0,
  exists: 0,
  rejected: 0,
  retryable: 0,
  unknown: 0,
  closed: 0,
};

/** Rows of which a resume leaves none alone. */
export const noneLeftAlone: RowsLeftAlone = { heldBack: 0, earlier: [], retryable: 0, unknown: 0 };
