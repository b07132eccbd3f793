import { dayMs } from "../../text/durations.ts";
import type { SupplierFigures } from "./supplier-figures.ts";

export interface SupplierRank {
  readonly supplier: string;
  /** Number of journal entries whose outcome is unknown, or null if the journal cannot be read. */
  readonly unknown: number | null;
  readonly hasFailed: boolean;
  readonly figures: SupplierFigures | null;
}

/**
 * Minimum age of a pending account for its supplier to be stuck, if nothing was imported for a day.
 */
const stuckMs = 7 * dayMs;

/**
 * The problems of a supplier, most serious first:
 *
 * - `unknown`: entries might have taken effect
 * - `failed`: the list cannot be loaded
 * - `held-back`: the list is empty or much shorter than the previous list
 * - `gone`: accounts are gone
 * - `stuck`: accounts are pending for a week, and none was imported for a day
 * - `over-a-day`: accounts are pending for more than a day
 * - `pending`: accounts are pending
 * - `done`: no account is pending
 * - `unseen`: no figures are known yet
 */
const problems = [
  ...["unknown", "failed", "held-back", "gone", "stuck", "over-a-day", "pending"],
  ...["done", "unseen"],
] as const;

type SupplierProblem = (typeof problems)[number];

export function problemOf({ unknown, hasFailed, figures }: SupplierRank): SupplierProblem {
  if (unknown !== null && unknown > 0) return "unknown";
  if (hasFailed) return "failed";
  if (figures === null) return "unseen";
  const { pending, rates, history } = figures;
  if (history?.heldBack) return "held-back";
  if ((history?.gone?.count ?? 0) > 0) return "gone";
  if (pending === 0) return "done";
  const isIdle = rates.every(({ windowMs, count }) => windowMs > dayMs || count === 0);
  const oldest = history?.oldestPendingSince ?? Number.POSITIVE_INFINITY;
  if (isIdle && figures.listedAt - oldest >= stuckMs) return "stuck";
  return (history?.pendingOverADay ?? 0) > 0 ? "over-a-day" : "pending";
}

/**
 * Sorts suppliers by their most serious problem, then by most pending accounts, then in the given
 * order.
 */
export function worstFirst<T extends SupplierRank>(suppliers: readonly T[]): readonly T[] {
  const rank = (supplier: T) => problems.indexOf(problemOf(supplier));
  const pending = (supplier: T) => supplier.figures?.pending ?? 0;
  return suppliers.toSorted((a, b) => rank(a) - rank(b) || pending(b) - pending(a));
}
