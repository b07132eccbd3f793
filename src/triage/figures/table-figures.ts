import type { AccountTable } from "../../accounts/table.ts";
import { type Forecast, forecastOf } from "../forecast/forecast.ts";
import type { CreationRate } from "../forecast/rates.ts";
import { bucketsFor, type CreatedChart } from "./chart.ts";
import { latestCreation } from "./creation-time.ts";
import { type NewAccount, newestOf } from "./newest.ts";
import { type PendingAccount, pendingLongest } from "./pending-longest.ts";
import { RecentCreations } from "./rates.ts";

/**
 * What a list says as a whole. Where more accounts came than are kept, the counts are still those of
 * all; chart and newest are of those kept.
 */
export interface TableFigures {
  readonly total: number;
  readonly imported: number;
  readonly pending: number;
  /** Imported accounts without a readable creation time: in no bucket and no rate; only for complete lists. */
  readonly undated: number;
  /** Accounts with a creation time that cannot be right: in no chart, no rate, and not among the newest. */
  readonly ahead: number;
  /** Null while no creation time is known. */
  readonly created: CreatedChart | null;
  readonly newest: readonly NewAccount[];
  /** As many as the newest; none while the ages are not known. */
  readonly longest: readonly PendingAccount[];
  /**
   * Of the last hour, 24 hours and seven days, a migration younger than that of its own age; none
   * while no creation time is known, and where not all accounts are kept.
   */
  readonly rates: readonly CreationRate[];
  readonly finish: Forecast;
}

export interface TableFiguresOptions {
  /** Most buckets that the chart may have. */
  readonly buckets: number;
  /** Epoch milliseconds. */
  readonly now: number;
  /** When the list was there; default: now. */
  readonly listedAt?: number | undefined;
  /** How many of the newest accounts; 10 by default. */
  readonly newest?: number;
  /** Milliseconds east of UTC by which days and weeks are reckoned; 0 by default. */
  readonly zoneOffsetMs?: number;
}

/** The figures of a table: one pass over the creation times, nothing per row kept. */
export function figuresOf(table: AccountTable, options: TableFiguresOptions): TableFigures {
  const { came, pending } = table;
  const cut = table.truncatedAt !== null;
  const { earliest, latest, ahead } = knownCreations(
    table,
    latestCreation(options.listedAt ?? options.now),
  );
  const imported = came - pending;
  const most = options.newest ?? 10;
  const longest = pendingLongest(table, most);
  if (latest < earliest) {
    return {
      total: came,
      imported,
      pending,
      undated: cut ? 0 : imported - ahead,
      ahead,
      created: null,
      newest: [],
      longest,
      rates: [],
      finish: cut ? notAllKept(pending) : forecastOf(pending, []),
    };
  }
  const end = pending > 0 ? Math.max(latest, options.now) : latest;
  const { startMs, bucketMs, count } = bucketsFor(earliest, end, {
    most: options.buckets,
    zoneOffsetMs: options.zoneOffsetMs ?? 0,
  });
  const counts = new Array<number>(count).fill(0);
  const recent = new RecentCreations(options.now);
  let dated = 0;
  for (const block of table.blocks) {
    for (let row = 0; row < block.rows; row++) {
      const time = block.createdAt[row] as number;
      if (!(time <= latest)) continue;
      dated += 1;
      const bucket = Math.floor((time - startMs) / bucketMs);
      counts[bucket] = (counts[bucket] as number) + 1;
      recent.add(time);
    }
  }
  const rates = cut ? [] : recent.rates(earliest);
  return {
    total: came,
    imported,
    pending,
    undated: cut ? 0 : Math.max(0, imported - dated - ahead),
    ahead,
    created: { startMs, bucketMs, counts },
    newest: newestOf(table, most, latest),
    longest,
    rates,
    finish: cut ? notAllKept(pending) : forecastOf(pending, rates),
  };
}

/** The first and the last creation time that is known, and how many accounts have one that is not. */
function knownCreations(table: AccountTable, most: number) {
  let earliest = Number.POSITIVE_INFINITY;
  let latest = Number.NEGATIVE_INFINITY;
  let ahead = 0;
  for (const block of table.blocks) {
    if (block.earliest < earliest && block.earliest <= most) ({ earliest } = block);
    if (!(block.latest > most)) {
      if (block.latest > latest) ({ latest } = block);
      continue;
    }
    for (let row = 0; row < block.rows; row++) {
      const time = block.createdAt[row] as number;
      if (time > most) ahead += 1;
      else if (time > latest) latest = time;
    }
  }
  return { earliest, latest, ahead };
}

function notAllKept(pending: number): Forecast {
  return { kind: "none", reason: pending === 0 ? "nothing-pending" : "not-all-kept" };
}
