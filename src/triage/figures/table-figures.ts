/** Computes the figures of a loaded table of accounts. */
import { fieldText, TextColumn } from "../../accounts/columns.ts";
import type { AccountTable } from "../../accounts/table.ts";
import { RecentCreations } from "../forecast/forecast.ts";
import { bucketsFor } from "./chart.ts";
import { type Figures, figuresFrom, type PendingAccount } from "./figures.ts";
import { addIfLongest, type PendingRow } from "./longest-pending.ts";
import { latestPlausibleCreation, newestOf } from "./newest.ts";

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

export function figuresOf(table: AccountTable, options: TableFiguresOptions): Figures {
  const { arrived: total, pending } = table;
  const { now, newest: limit = 10 } = options;
  const { earliest, latest, ahead } = knownCreations(
    table,
    latestPlausibleCreation(options.listedAt ?? now),
  );
  const recent = new RecentCreations(now);
  const isDated = latest >= earliest;
  const end = pending > 0 ? Math.max(latest, now) : latest;
  const { startMs, bucketMs, count } = isDated
    ? bucketsFor(earliest, end, {
        maxCount: options.buckets,
        zoneOffsetMs: options.zoneOffsetMs ?? 0,
      })
    : noBuckets;
  const counts = new Array<number>(count).fill(0);
  for (const block of isDated ? table.blocks : []) {
    for (let row = 0; row < block.rows; row++) {
      const time = block.createdAt[row] as number;
      if (!(time <= latest)) continue;
      const bucket = Math.floor((time - startMs) / bucketMs);
      counts[bucket] = (counts[bucket] as number) + 1;
      recent.add(time);
    }
  }
  return figuresFrom({
    total,
    pending,
    ahead,
    recent,
    earliest,
    created: isDated ? { startMs, bucketMs, counts } : null,
    newest: isDated ? newestOf(table, limit, latest) : [],
    longest: pendingLongest(table, limit),
    isTruncated: table.truncatedAt !== null,
  });
}

const noBuckets = { startMs: 0, bucketMs: 1, count: 0 } as const;

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
