/** Reads the stored observations of each supplier, and counts its gone accounts. */
import type { Service } from "../api/service.ts";
import { dayMs } from "../text/durations.ts";
import type { NumberSet } from "../triage/account-numbers.ts";
import { cohortHistory, goneOf } from "../triage/cohorts/cohort-history.ts";
import { type GoneCount, GoneCounter } from "../triage/figures/gone.ts";
import { historyOf, type SupplierHistory } from "../triage/figures/supplier-figures.ts";
import type { Observations } from "../triage/observations/observations.ts";
import type { Budget } from "../watch/budget.ts";

const noneGone: GoneCount = { count: 0, atLeast: false };

/**
 * Creates the histories of suppliers, which are read from `observations`. Counting gone accounts
 * sends requests within the rate of `budget`.
 */
export function createSupplierHistories(options: {
  readonly service: Pick<Service, "accounts">;
  readonly observations: Observations;
  readonly budget: Budget;
  readonly now: () => number;
}) {
  const { service, observations, budget, now } = options;
  const counter = new GoneCounter({ service, budget, now });
  const counted = new Map<string, GoneCount>();
  const readWith = async (supplier: string, uncounted: (gone: number) => GoneCount | null) => {
    const summary = await observations.summary(supplier, now());
    if (summary === null) return null;
    const { gone } = summary;
    const known = gone === 0 ? noneGone : (counted.get(supplier) ?? uncounted(gone));
    return historyOf(summary, known, observations.machines(supplier));
  };
  const read = (supplier: string) => readWith(supplier, () => null);
  return {
    /**
     * Returns the stored history, with the gone accounts of the last count, or null if the supplier
     * was never observed. Rejects with a file error.
     */
    read,
    /** Returns the last count of a supplier's gone accounts, or null if never counted. */
    verified: (supplier: string): GoneCount | null => counted.get(supplier) ?? null,
    /**
     * Returns the stored history. If the gone accounts were never counted, their number is that of
     * the accounts that are missing from the last list.
     */
    lastKnown: (supplier: string) =>
      readWith(supplier, (gone) => ({ count: gone, atLeast: false })),
    /**
     * Yields the history of the accounts of a cohort: first with the gone accounts uncounted, then
     * counted. Rejects with a file error, and with the signal's reason.
     */
    async *ofCohort(
      supplier: string,
      numbers: NumberSet,
      signal: AbortSignal,
    ): AsyncGenerator<SupplierHistory, void, void> {
      const at = now();
      const [summary, ages, changes] = await Promise.all([
        observations.summary(supplier, at),
        observations.ages(supplier, signal),
        observations.changes(supplier, at - dayMs),
      ]);
      signal.throwIfAborted();
      if (summary === null || ages === null) return;
      const machines = observations.machines(supplier);
      const history = cohortHistory({ summary, ages, changes, machines }, numbers, at);
      const gone = [...goneOf(ages, numbers)];
      if (history.heldBack !== null) return yield history;
      yield { ...history, gone: gone.length === 0 ? noneGone : null };
      if (gone.length > 0) yield { ...history, gone: await counter.count(supplier, gone, signal) };
    },
    /**
     * Counts the gone accounts again with requests (INTERFACE 4.8), and returns the history.
     * Rejects with a file error, and with the signal's reason.
     */
    async count(supplier: string, signal: AbortSignal) {
      const history = await read(supplier);
      if (history === null || history.heldBack !== null) return history;
      if (history.gone === noneGone) {
        counted.delete(supplier);
        return history;
      }
      const ages = await observations.ages(supplier, signal);
      if (ages === null) return history;
      const gone = await counter.count(supplier, ages.gone(), signal);
      counted.set(supplier, gone);
      return { ...history, gone };
    },
  };
}

export type SupplierHistories = ReturnType<typeof createSupplierHistories>;
