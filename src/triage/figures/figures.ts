/** The figures of a list of accounts, whether it is counted while it arrives or from a table. */
import {
  type CreationRate,
  type Forecast,
  forecastOf,
  type RecentCreations,
} from "../forecast/forecast.ts";
import type { CreatedChart } from "./chart.ts";
import type { NewAccount } from "./newest.ts";

/**
 * The figures of a list. If only a part of the list is stored, the counts are those of all
 * accounts, and chart and newest accounts are those of the stored part.
 */
export interface Figures {
  readonly total: number;
  readonly imported: number;
  readonly pending: number;
  /**
   * Number of accounts with a creation time too far in the future. They are in no chart, no rate,
   * and not among the newest.
   */
  readonly ahead: number;
  /** Accounts created over time, or null if no creation time is known. */
  readonly created: CreatedChart | null;
  readonly newest: readonly NewAccount[];
  /** The accounts pending longest, at most as many as the newest. Empty if no age is known. */
  readonly longest: readonly PendingAccount[];
  /**
   * Rates of the last hour, 24 hours and seven days. If the migration is younger, its age replaces
   * a span. Empty if no creation time is known or not all accounts are stored.
   */
  readonly rates: readonly CreationRate[];
  readonly finish: Forecast;
}

export interface PendingAccount {
  readonly external: string;
  /**
   * The time at which this machine first saw the account pending, in epoch milliseconds. The
   * account might have been pending before.
   */
  readonly since: number;
}

interface Counted
  extends Pick<Figures, "total" | "pending" | "ahead" | "created" | "newest" | "longest"> {
  readonly recent: RecentCreations;
  /** The first creation time in epoch milliseconds, or infinity if none is known. */
  readonly earliest: number;
  /** True if not all accounts are counted in `recent`. */
  readonly isTruncated: boolean;
}

export function figuresFrom({ recent, earliest, isTruncated, ...counted }: Counted): Figures {
  const { total, pending, created } = counted;
  const rates = created === null || isTruncated ? [] : recent.rates(earliest);
  const isKnown = !isTruncated || pending === 0;
  return {
    ...counted,
    imported: total - pending,
    rates,
    finish: isKnown ? forecastOf(pending, rates) : { kind: "none", reason: "not-all-kept" },
  };
}
