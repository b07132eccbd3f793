import type { NumberSet } from "../number-set.ts";
import type { Ages } from "../observations/observations.ts";

/** The accounts of a cohort in the last observation of its supplier. */
export interface CohortCounts {
  readonly imported: number;
  readonly pending: number;
  /** The numbers of its first pending accounts. */
  readonly pendingNumbers: readonly string[];
  /** The time at which that observation began, in epoch milliseconds. */
  readonly observedAt: number;
}

/** Accounts counted between two turns of the event loop. */
const together = 2_000;

/**
 * Counts the accounts of a cohort by their last observed state; the rest are on no list. Names at
 * most `mostNumbers` pending accounts. Rejects with the signal's reason.
 */
export async function countCohort(
  numbers: NumberSet,
  ages: Ages,
  signal: AbortSignal,
  mostNumbers = 0,
): Promise<CohortCounts> {
  let imported = 0;
  let pending = 0;
  let seen = 0;
  const pendingNumbers: string[] = [];
  for (const number of numbers.numbers()) {
    const row = ages.rowOf(number);
    if (row >= 0 && ages.isImported(row)) imported += 1;
    if (row >= 0 && !Number.isNaN(ages.pendingSince(row))) {
      pending += 1;
      if (pendingNumbers.length < mostNumbers) pendingNumbers.push(number);
    }
    seen += 1;
    if (seen % together !== 0) continue;
    await new Promise((resolve) => setImmediate(resolve));
    signal.throwIfAborted();
  }
  return { imported, pending, pendingNumbers, observedAt: ages.observedAt };
}
