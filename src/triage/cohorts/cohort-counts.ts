import type { NumberSet } from "../number-set.ts";
import type { Ages } from "../observations/observations.ts";

/** The numbers of accounts of a cohort in the last observation of its supplier. */
export interface CohortCounts {
  readonly imported: number;
  readonly pending: number;
  /**
   * The time since which the oldest account is pending, in epoch milliseconds, or null if none is.
   */
  readonly oldestPendingSince: number | null;
  /** The start of the observation in epoch milliseconds. */
  readonly observedAt: number;
}

/** Number of accounts counted between two turns of the event loop. */
const together = 2_000;

/**
 * Counts the imported and pending accounts of a cohort by their last observed state. Does not count
 * accounts on no list. Rejects with the signal's reason.
 */
export async function countCohort(
  numbers: NumberSet,
  ages: Ages,
  signal: AbortSignal,
): Promise<CohortCounts> {
  let imported = 0;
  let pending = 0;
  let seen = 0;
  let oldest = Number.POSITIVE_INFINITY;
  for (const number of numbers.numbers()) {
    const row = ages.rowOf(number);
    if (row >= 0 && ages.isImported(row)) imported += 1;
    const since = row >= 0 ? ages.pendingSince(row) : Number.NaN;
    if (!Number.isNaN(since)) {
      pending += 1;
      oldest = Math.min(oldest, since);
    }
    seen += 1;
    if (seen % together !== 0) continue;
    await new Promise((resolve) => setImmediate(resolve));
    signal.throwIfAborted();
  }
  const oldestPendingSince = pending === 0 ? null : oldest;
  return { imported, pending, oldestPendingSince, observedAt: ages.observedAt };
}
