import { dayMs, hourMs } from "../../text/durations.ts";
import { type Forecast, forecastOf } from "../forecast/forecast.ts";
import { type CreationRate, rateSpans, ratesOf } from "../forecast/rates.ts";
import type { ObservedCounts, ObservedSummary } from "../observations/observations.ts";
import type { CreatedChart } from "./chart.ts";
import type { GoneCount } from "./gone.ts";
import { chartHours, type ListFigures } from "./list-tally.ts";
import type { NewAccount } from "./newest.ts";

/** The figures of one supplier, or of a part of its accounts, as of one complete list. */
export interface SupplierFigures {
  /** When the list was asked for, in epoch milliseconds. */
  readonly listedAt: number;
  /** `list`: of a list that this program has loaded; `observations`: of the last one that was stored. */
  readonly from: "list" | "observations";
  readonly total: number;
  readonly imported: number;
  readonly pending: number;
  /** Imported in each of the last hours before `listedAt`, oldest first; null where that is not known. */
  readonly lastHours: readonly number[] | null;
  /** Of the last hour, day and week before `listedAt`; none where that is not known. */
  readonly rates: readonly CreationRate[];
  readonly finish: Forecast;
  /** Accounts created per day or longer; null where that is not known. */
  readonly created: CreatedChart | null;
  readonly newest: readonly NewAccount[];
  /** Accounts with a creation time that cannot be right, which the figures leave out. */
  readonly ahead: number;
  /** Null where the supplier was never observed. */
  readonly history: SupplierHistory | null;
}

/** What only the stored observations of a supplier know. Times are epoch milliseconds. */
export interface SupplierHistory {
  /** When the last observation began, and the first one. */
  readonly observedAt: number;
  readonly since: number;
  /**
   * When this machine first saw the account that is pending longest: a lower bound of its age. Null
   * while nothing is pending, and if a list is held back.
   */
  readonly oldestPendingSince: number | null;
  /** Accounts pending for more than a day; null if a list is held back. */
  readonly pendingOverADay: number | null;
  /** The verified count; null until requests have found it, and if a list is held back. */
  readonly gone: GoneCount | null;
  /** How many accounts came and went in the last 24 hours. */
  readonly lastDay: ObservedSummary["lastDay"];
  /** A list that waits to be confirmed, because too many accounts are missing in it. */
  readonly heldBack: ObservedSummary["heldBack"];
}

/** Returns what the observations of a supplier know; `gone` is the count of accounts that were asked for. */
export function historyOf(summary: ObservedSummary, gone: GoneCount | null): SupplierHistory {
  return believed({
    observedAt: summary.at,
    since: summary.historySince,
    oldestPendingSince: summary.oldestPendingSince,
    pendingOverADay: summary.pendingOverADay,
    gone,
    lastDay: summary.lastDay,
    heldBack: summary.heldBack,
  });
}

/** Leaves out what is not known while a list is held back: which accounts are pending and gone now. */
export function believed(history: SupplierHistory): SupplierHistory {
  if (history.heldBack === null) return history;
  return { ...history, oldestPendingSince: null, pendingOverADay: null, gone: null };
}

/** The figures of a list that was loaded at `listedAt`. */
export function listedFigures(
  list: ListFigures,
  listedAt: number,
  history: SupplierHistory | null,
): SupplierFigures {
  return { listedAt, from: "list", ...list, history };
}

/**
 * The figures of the last observation, without a request. Rates come from how many accounts were
 * imported in earlier observations: `observed` are those of the week before it, oldest first.
 */
export function storedFigures(
  summary: ObservedSummary,
  observed: readonly ObservedCounts[],
  history: SupplierHistory | null,
): SupplierFigures {
  const importedAt = importedOver([...observed.filter(({ at }) => at < summary.at), summary]);
  const first = observed[0]?.at ?? summary.at;
  /** Imported accounts between two moments, in milliseconds before the last observation. */
  const imported = (from: number, to: number) =>
    Math.max(0, importedAt(summary.at - to) - importedAt(summary.at - from));
  const age = summary.at - first;
  // Two lists a moment apart show no rate.
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
    ahead: 0,
    history,
  };
}

/** How long before the last observation the counts for {@link storedFigures} reach back. */
export const storedCountsMs = 7 * dayMs;

/** How many accounts were imported at a time, spread evenly between two observations. */
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
