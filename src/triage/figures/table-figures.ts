/** Computes the figures of a loaded table of accounts. */
import { blockRows, fieldText, TextColumn } from "../../accounts/columns.ts";
import type { AccountTable } from "../../accounts/table.ts";
import { dayMs } from "../../text/durations.ts";
import { bucketsFor } from "./chart.ts";
import type { Figures, PendingAccount } from "./figures.ts";
import { ListTally } from "./list-tally.ts";
import { addIfLongest, type PendingRow } from "./longest-pending.ts";
import { latestPlausibleCreation } from "./newest.ts";

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
  const { now, listedAt = now, newest = 10, zoneOffsetMs = 0, buckets } = options;
  const blocks = table.blocks.map((block, at) => ({ block, first: at * blockRows }));
  const [earliest, latest] = knownSpan(table, latestPlausibleCreation(listedAt));
  const end = pending > 0 ? Math.max(latest, now) : latest;
  const { bucketMs } =
    latest >= earliest
      ? bucketsFor(earliest, end, { maxCount: buckets, zoneOffsetMs })
      : { bucketMs: dayMs };
  const tally = new ListTally({ now, listedAt, zoneOffsetMs, newest, minBucketMs: bucketMs });
  // The latest times come first, so that few accounts of the other blocks are among the newest.
  blocks.sort((one, other) => (other.block.latest || 0) - (one.block.latest || 0));
  for (const { block, first } of blocks) tally.take(block, block.rows, first);
  const longest = pendingLongest(table, newest);
  return tally.figures(buckets, {
    total,
    pending,
    longest,
    isTruncated: table.truncatedAt !== null,
  });
}

/**
 * Returns a span of time within that of the valid creation times, from what the blocks know. The
 * span is only shorter if blocks have times after `latestPlausible`.
 */
function knownSpan({ blocks }: AccountTable, latestPlausible: number): readonly [number, number] {
  const plausible = (times: readonly number[]) => times.filter((time) => time <= latestPlausible);
  const earliest = plausible(blocks.map((block) => block.earliest));
  const latest = plausible(blocks.map((block) => block.latest));
  return [Math.min(...earliest), Math.max(...earliest, ...latest)];
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
