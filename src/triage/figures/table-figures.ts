/** Computes the figures of a loaded table of accounts. */
import { fieldText, TextColumn } from "../../accounts/columns.ts";
import type { AccountTable } from "../../accounts/table.ts";
import {
  type CreationRate,
  type Forecast,
  forecastOf,
  RecentCreations,
} from "../forecast/forecast.ts";
import { bucketsFor, type CreatedChart } from "./chart.ts";
import { addIfLongest, type PendingRow } from "./longest-pending.ts";
import { latestPlausibleCreation, type NewAccount, newestOf } from "./newest.ts";

/**
 * The figures of a list. If only a part of the list is stored, the counts are those of all
 * accounts, and chart and newest accounts are those of the stored part.
 */
export interface TableFigures {
  readonly total: number;
  readonly imported: number;
  readonly pending: number;
  /**
   * Number of accounts with a creation time too far in the future. They are in no chart, no rate,
   * and not among the newest.
   */
  readonly ahead: number;
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

interface TableFiguresOptions {
  readonly buckets: number;
  /** Epoch milliseconds. */
  readonly now: number;
  /** The time of the list in epoch milliseconds. Default: `now`. */
  readonly listedAt?: number | undefined;
  readonly newest?: number;
  /** Milliseconds east of UTC, for the start of days and weeks. Default: 0. */
  readonly zoneOffsetMs?: number;
}

export function figuresOf(table: AccountTable, options: TableFiguresOptions): TableFigures {
  const { arrived, pending } = table;
  const isTruncated = table.truncatedAt !== null;
  const { earliest, latest, ahead } = knownCreations(
    table,
    latestPlausibleCreation(options.listedAt ?? options.now),
  );
  const imported = arrived - pending;
  const limit = options.newest ?? 10;
  const longest = pendingLongest(table, limit);
  if (latest < earliest) {
    return {
      total: arrived,
      imported,
      pending,
      ahead,
      created: null,
      newest: [],
      longest,
      rates: [],
      finish: isTruncated ? incompleteForecast(pending) : forecastOf(pending, []),
    };
  }
  const end = pending > 0 ? Math.max(latest, options.now) : latest;
  const { startMs, bucketMs, count } = bucketsFor(earliest, end, {
    maxCount: options.buckets,
    zoneOffsetMs: options.zoneOffsetMs ?? 0,
  });
  const counts = new Array<number>(count).fill(0);
  const recent = new RecentCreations(options.now);
  for (const block of table.blocks) {
    for (let row = 0; row < block.rows; row++) {
      const time = block.createdAt[row] as number;
      if (!(time <= latest)) continue;
      const bucket = Math.floor((time - startMs) / bucketMs);
      counts[bucket] = (counts[bucket] as number) + 1;
      recent.add(time);
    }
  }
  const rates = isTruncated ? [] : recent.rates(earliest);
  return {
    total: arrived,
    imported,
    pending,
    ahead,
    created: { startMs, bucketMs, counts },
    newest: newestOf(table, limit, latest),
    longest,
    rates,
    finish: isTruncated ? incompleteForecast(pending) : forecastOf(pending, rates),
  };
}

/**
 * Returns the first and the last valid creation time, and the number of accounts with a time after
 * `latestPlausible`.
 */
function knownCreations(table: AccountTable, latestPlausible: number) {
  let earliest = Number.POSITIVE_INFINITY;
  let latest = Number.NEGATIVE_INFINITY;
  let ahead = 0;
  for (const block of table.blocks) {
    if (block.earliest < earliest && block.earliest <= latestPlausible) ({ earliest } = block);
    if (!(block.latest > latestPlausible)) {
      if (block.latest > latest) ({ latest } = block);
      continue;
    }
    for (let row = 0; row < block.rows; row++) {
      const time = block.createdAt[row] as number;
      if (time > latestPlausible) ahead += 1;
      else if (time > latest) latest = time;
    }
  }
  return { earliest, latest, ahead };
}

function incompleteForecast(pending: number): Forecast {
  return { kind: "none", reason: pending === 0 ? "nothing-pending" : "not-all-kept" };
}

export interface PendingAccount {
  readonly external: string;
  /**
   * The time at which this machine first saw the account pending, in epoch milliseconds. The
   * account might have been pending before.
   */
  readonly since: number;
}

/**
 * Returns the `limit` accounts of a table that have been pending longest. Returns none if no age is
 * known.
 */
function pendingLongest(table: AccountTable, limit: number): readonly PendingAccount[] {
  const longest: PendingRow[] = [];
  let first = 0;
  for (const block of table.blocks) {
    const since = block.ages?.pendingSince;
    for (let place = 0; since !== undefined && place < block.rows; place++) {
      const seconds = since[place] ?? 0;
      if (seconds > 0) addIfLongest(longest, first + place, seconds, limit);
    }
    first += block.rows;
  }
  return longest.map(({ row, since }) => ({
    external: fieldText(table.blockOf(row), table.placeOf(row), TextColumn.external),
    since: since * 1_000,
  }));
}

/**
 * Approximate number of rows to sample for the median. An estimate is enough, because the screen
 * only compares ages with the median.
 */
const maxSampled = 1_001;

/**
 * Estimates, from a sample, the time before which half of the pending accounts of a table were
 * first seen pending, in epoch milliseconds. Returns null if no age is known.
 */
export function medianPendingSince(table: AccountTable): number | null {
  const step = Math.max(1, Math.floor(table.rows / maxSampled));
  const sample: number[] = [];
  for (let row = 0; row < table.rows; row += step) {
    const seconds = table.blockOf(row).ages?.pendingSince[table.placeOf(row)] ?? 0;
    if (seconds > 0) sample.push(seconds);
  }
  if (sample.length === 0) return null;
  sample.sort((a, b) => a - b);
  return (sample[sample.length >> 1] ?? 0) * 1_000;
}
