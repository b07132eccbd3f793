/** The figures of one supplier, from a loaded list or from stored observations. */
import { dayMs, hourMs } from "../../text/durations.ts";
import { forecastOf, rateSpans, ratesOf } from "../forecast/forecast.ts";
import type { ObservedCounts, ObservedSummary } from "../observations/observations.ts";
import type { Figures } from "./figures.ts";
import type { GoneCount } from "./gone.ts";
import { chartHours, type ListFigures } from "./list-tally.ts";

export interface SupplierFigures extends Figures {
  /** The time at which the list was requested, in epoch milliseconds. */
  readonly listedAt: number;
  readonly from: "list" | "observations";
  /** Accounts imported in each of the last hours before `listedAt`, oldest first, or null. */
  readonly lastHours: readonly number[] | null;
  /** The history of the supplier, or null if it was never observed. */
  readonly history: SupplierHistory | null;
}

/** Data from the stored observations of a supplier. Times are epoch milliseconds. */
export interface SupplierHistory {
  readonly since: number;
  /**
   * The time at which the account that is pending longest was first seen, or null if nothing is
   * pending or a list is held back. The account might have been pending before.
   */
  readonly oldestPendingSince: number | null;
  /** Accounts pending for more than a day, or null if a list is held back. */
  readonly pendingOverADay: number | null;
  /**
   * The verified number of gone accounts, or null if it is not known yet or a list is held back.
   */
  readonly gone: GoneCount | null;
  readonly lastDay: ObservedSummary["lastDay"];
  /** The list that waits for confirmation because it lacks too many accounts, or null. */
  readonly heldBack: ObservedSummary["heldBack"];
  /** Number of a team's machines whose lists are in the history. Default: null, without a team. */
  readonly machines?: number | null;
}

/** `machines` is the number of the team's machines that made the lists, or null without a team. */
export function historyOf(
  summary: ObservedSummary,
  gone: GoneCount | null,
  machines: number | null,
): SupplierHistory {
  return unlessHeldBack({
    since: summary.historySince,
    oldestPendingSince: summary.oldestPendingSince,
    pendingOverADay: summary.pendingOverADay,
    gone,
    lastDay: summary.lastDay,
    heldBack: summary.heldBack,
    machines,
  });
}

/**
 * Returns the history without its current figures if a list is held back, because its pending and
 * gone accounts are unknown.
 */
export function unlessHeldBack(history: SupplierHistory): SupplierHistory {
  if (history.heldBack === null) return history;
  return { ...history, oldestPendingSince: null, pendingOverADay: null, gone: null };
}

export function listedFigures(
  list: ListFigures,
  listedAt: number,
  history: SupplierHistory | null,
): SupplierFigures {
  return { listedAt, from: "list", ...list, history };
}

/**
 * Returns the figures of the last observation, without a request. Computes rates from the imported
 * accounts of earlier observations. `observed` are the observations of the week before the last
 * one, oldest first.
 */
export function storedFigures(
  summary: ObservedSummary,
  observed: readonly ObservedCounts[],
  history: SupplierHistory | null,
): SupplierFigures {
  const importedAt = importedOver([...observed.filter(({ at }) => at < summary.at), summary]);
  const first = observed[0]?.at ?? summary.at;
  /**
   * Returns the number of accounts imported between two times, in milliseconds before the last
   * observation.
   */
  const imported = (from: number, to: number) =>
    Math.max(0, importedAt(summary.at - to) - importedAt(summary.at - from));
  const age = summary.at - first;
  // Lists less than an hour apart are too close for a rate.
  const isKnown = age >= hourMs;
  const counts = rateSpans.map((span) => imported(span, 0));
  const rates = isKnown ? ratesOf(counts, age) : [];
  return {
    listedAt: summary.at,
    from: "observations",
    total: summary.pending + summary.imported,
    imported: summary.imported,
    pending: summary.pending,
    lastHours: isKnown
      ? Array.from({ length: chartHours }, (_, at) => {
          const ago = chartHours - at;
          return Math.round(imported(ago * hourMs, (ago - 1) * hourMs));
        })
      : null,
    rates,
    finish: forecastOf(summary.pending, rates),
    created: null,
    newest: [],
    longest: [],
    ahead: 0,
    history,
  };
}

/** Milliseconds before the last observation for which {@link storedFigures} needs counts. */
export const storedCountsMs = 7 * dayMs;

/**
 * Returns a function that estimates the number of imported accounts at a time, with imports spread
 * evenly between two observations.
 */
function importedOver(counts: readonly ObservedCounts[]): (time: number) => number {
  return (time) => {
    const after = counts.findIndex(({ at }) => at >= time);
    const next = counts[after];
    const before = counts[after - 1];
    if (next === undefined) return counts.at(-1)?.imported ?? 0;
    if (before === undefined) return next.imported;
    const share = (time - before.at) / (next.at - before.at);
    return before.imported + share * (next.imported - before.imported);
  };
}
