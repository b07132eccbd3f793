/** Derives the counts and the history of a cohort from the observations of its supplier. */
import { dayMs } from "../../text/durations.ts";
import type { NumberSet } from "../account-numbers.ts";
import { type SupplierHistory, unlessHeldBack } from "../figures/supplier-figures.ts";
import type {
  Ages,
  Change,
  ChangeKind,
  GoneAccount,
  Observations,
  ObservedSummary,
} from "../observations/observations.ts";
import type { Cohort, Cohorts } from "./cohorts.ts";

/** Counts changes of each kind: those of the accounts in `numbers`, or all if it is null. */
export function changesByKind(
  changes: readonly Change[],
  numbers: NumberSet | null,
): Record<ChangeKind, number> {
  const counts = { staged: 0, imported: 0, gone: 0, returned: 0, renumbered: 0, removed: 0 };
  for (const { external, change } of changes)
    if (numbers === null || numbers.rowOf(external) >= 0) counts[change] += 1;
  return counts;
}

export function* goneOf(ages: Ages, numbers: NumberSet): Generator<GoneAccount, void, void> {
  for (const account of ages.gone()) if (numbers.rowOf(account.external) >= 0) yield account;
}

/**
 * Returns the history of a cohort's accounts from the observations of its supplier. `changes` are
 * the changes of the last 24 hours. `gone` is null in the result, because that count needs
 * requests.
 */
export function cohortHistory(
  observed: {
    readonly ages: Ages;
    readonly changes: readonly Change[];
    readonly summary: ObservedSummary;
    /** Number of a team's machines whose lists are in the history, or null without a team. */
    readonly machines: number | null;
  },
  numbers: NumberSet,
  now: number,
): SupplierHistory {
  const { ages, changes, summary, machines } = observed;
  let oldestPendingSince: number | null = null;
  let pendingOverADay = 0;
  for (const number of numbers.numbers()) {
    const row = ages.rowOf(number);
    const since = row < 0 ? Number.NaN : ages.pendingSince(row);
    if (Number.isNaN(since)) continue;
    if (oldestPendingSince === null || since < oldestPendingSince) oldestPendingSince = since;
    if (now - since > dayMs) pendingOverADay += 1;
  }
  return unlessHeldBack({
    since: summary.historySince,
    oldestPendingSince,
    pendingOverADay,
    gone: null,
    lastDay: changesByKind(changes, numbers),
    heldBack: summary.heldBack,
    machines,
  });
}

export interface CohortCounts {
  readonly imported: number;
  readonly pending: number;
  /**
   * The time since which the oldest account is pending, in epoch milliseconds, or null if none is.
   */
  readonly oldestPendingSince: number | null;
  readonly observedAt: number;
}

const accountsPerTurn = 2_000;

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
  let visited = 0;
  let oldest = Number.POSITIVE_INFINITY;
  for (const number of numbers.numbers()) {
    const row = ages.rowOf(number);
    if (row >= 0 && ages.isImported(row)) imported += 1;
    const since = row >= 0 ? ages.pendingSince(row) : Number.NaN;
    if (!Number.isNaN(since)) {
      pending += 1;
      oldest = Math.min(oldest, since);
    }
    visited += 1;
    if (visited % accountsPerTurn !== 0) continue;
    await new Promise((resolve) => setImmediate(resolve));
    signal.throwIfAborted();
  }
  const oldestPendingSince = pending === 0 ? null : oldest;
  return { imported, pending, oldestPendingSince, observedAt: ages.observedAt };
}

export type CohortFigures =
  /** The stored list is unchanged. `observed` is null if its supplier was never observed. */
  | { readonly kind: "read"; readonly observed: CohortCounts | null }
  | { readonly kind: "failed"; readonly error: unknown };

/**
 * Verifies each cohort against its SHA-256 and counts its accounts in the observations, one after
 * another. Sends no request.
 */
export async function* cohortFigures(
  stored: {
    readonly cohorts: Pick<Cohorts, "read">;
    readonly observations: Pick<Observations, "ages">;
  },
  cohorts: readonly Pick<Cohort, "name" | "supplier">[],
  signal: AbortSignal,
): AsyncGenerator<readonly [name: string, figures: CohortFigures], void, void> {
  const ages = new Map<string, Ages | null>();
  const agesOf = async (supplier: string) => {
    const known = ages.get(supplier);
    if (known !== undefined) return known;
    // The store reports observations that cannot be read.
    const read = await stored.observations.ages(supplier, signal).catch(() => null);
    ages.set(supplier, read);
    return read;
  };
  for (const { name, supplier } of cohorts) {
    try {
      const { numbers } = await stored.cohorts.read(name, supplier);
      const known = await agesOf(supplier);
      signal.throwIfAborted();
      const observed = known === null ? null : await countCohort(numbers, known, signal);
      yield [name, { kind: "read", observed }];
    } catch (error) {
      signal.throwIfAborted();
      yield [name, { kind: "failed", error }];
    }
  }
}
