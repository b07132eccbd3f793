import { blockRows, fieldText, TextColumn } from "./columns.ts";
import { type CreationRate, type FinishEstimate, finishOf } from "./finish.ts";
import type { AccountTable } from "./table.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const weekMs = 7 * dayMs;
/** 1970 began on a Thursday; weeks begin on Monday. */
const firstMonday = 4 * dayMs;

/** Bucket sizes that people can name; beyond them weeks are doubled. */
const sizes: readonly number[] = [
  ...[1, 5, 15, 30].map((minutes) => minutes * minuteMs),
  ...[1, 3, 6, 12].map((hours) => hours * hourMs),
  dayMs,
  weekMs,
];

/** The spans before now whose rates are shown, shortest first. */
const windows: readonly number[] = [hourMs, dayMs, weekMs];
/** Creation times this far ahead of the local clock still count as now. */
const clockSkewMs = 5 * minuteMs;

/** Accounts created per bucket of time, without gaps, oldest first. */
export interface CreatedChart {
  /** Epoch milliseconds at which the first bucket begins. */
  readonly startMs: number;
  readonly bucketMs: number;
  readonly counts: readonly number[];
}

/** An account among the newest. */
export interface NewAccount {
  readonly external: string;
  readonly service: string;
  /** Epoch milliseconds. */
  readonly createdAt: number;
}

/**
 * What a list says as a whole. Where more accounts came than are kept, the counts are still those of
 * all; chart and newest are of those kept.
 */
export interface AccountStatistics {
  readonly total: number;
  readonly imported: number;
  readonly pending: number;
  /** Imported accounts without a readable creation time: in no bucket and no rate; only for complete lists. */
  readonly undated: number;
  /** Null while no creation time is known. */
  readonly created: CreatedChart | null;
  readonly newest: readonly NewAccount[];
  /**
   * Of the last hour, 24 hours and seven days, a migration younger than that of its own age; none
   * while no creation time is known, and where not all accounts are kept.
   */
  readonly rates: readonly CreationRate[];
  readonly finish: FinishEstimate;
}

export interface StatisticsOptions {
  /** Most buckets that the chart may have. */
  readonly buckets: number;
  /** Epoch milliseconds. */
  readonly now: number;
  /** How many of the newest accounts; 10 by default. */
  readonly newest?: number;
  /** Milliseconds east of UTC by which days and weeks are reckoned; 0 by default. */
  readonly zoneOffsetMs?: number;
}

/** Reads the statistics off a table: one pass over the creation times, nothing per row kept. */
export function statisticsOf(table: AccountTable, options: StatisticsOptions): AccountStatistics {
  const { came, pending } = table;
  const cut = table.truncatedAt !== null;
  let earliest = Number.POSITIVE_INFINITY;
  let latest = Number.NEGATIVE_INFINITY;
  for (const block of table.blocks) {
    if (block.earliest < earliest) earliest = block.earliest;
    if (block.latest > latest) latest = block.latest;
  }
  const imported = came - pending;
  if (latest < earliest) {
    return {
      total: came,
      imported,
      pending,
      undated: cut ? 0 : imported,
      created: null,
      newest: [],
      rates: [],
      finish: cut ? notAllKept(pending) : finishOf(pending, []),
    };
  }
  const end = pending > 0 ? Math.max(latest, options.now) : latest;
  const { startMs, bucketMs, count } = bucketsFor(earliest, end, options);
  const counts = new Array<number>(count).fill(0);
  const recent = windows.map(() => 0);
  const until = options.now + clockSkewMs;
  let dated = 0;
  for (const block of table.blocks) {
    for (let row = 0; row < block.rows; row++) {
      const time = block.createdAt[row] as number;
      if (Number.isNaN(time)) continue;
      dated += 1;
      const bucket = Math.floor((time - startMs) / bucketMs);
      counts[bucket] = (counts[bucket] as number) + 1;
      if (time > until || time < options.now - weekMs) continue;
      for (let at = 0; at < windows.length; at++) {
        if (time > options.now - (windows[at] as number)) recent[at] = (recent[at] as number) + 1;
      }
    }
  }
  const rates = cut ? [] : ratesOf(recent, options.now - earliest);
  return {
    total: came,
    imported,
    pending,
    undated: cut ? 0 : Math.max(0, imported - dated),
    created: { startMs, bucketMs, counts },
    newest: newestOf(table, options.newest ?? 10),
    rates,
    finish: cut ? notAllKept(pending) : finishOf(pending, rates),
  };
}

function notAllKept(pending: number): FinishEstimate {
  return { kind: "none", reason: pending === 0 ? "nothing-pending" : "not-all-kept" };
}

/** The smallest natural size with which everything from `earliest` to `latest` fits. */
function bucketsFor(
  earliest: number,
  latest: number,
  options: StatisticsOptions,
): { startMs: number; bucketMs: number; count: number } {
  const most = Math.max(1, Math.floor(options.buckets));
  const zone = options.zoneOffsetMs ?? 0;
  for (let step = 0; ; step++) {
    const bucketMs = sizes[step] ?? weekMs * 2 ** (step - sizes.length + 1);
    const shift = bucketMs >= weekMs ? firstMonday - zone : -zone;
    const startMs = Math.floor((earliest - shift) / bucketMs) * bucketMs + shift;
    const count = Math.floor((latest - startMs) / bucketMs) + 1;
    if (count <= most || bucketMs > 2 ** 53)
      return { startMs, bucketMs, count: Math.min(count, most) };
  }
}

/** One rate per span; of a migration younger than the shortest, a single one. */
function ratesOf(recent: readonly number[], age: number): readonly CreationRate[] {
  const rates = windows.map((wholeMs, at) => {
    const count = recent[at] ?? 0;
    // A migration younger than the span is not slower for it.
    const windowMs = Math.min(wholeMs, Math.max(age, minuteMs));
    return { perHour: (count * hourMs) / windowMs, count, windowMs };
  });
  return rates.filter(({ windowMs }, at) => at === 0 || windowMs > (rates[at - 1]?.windowMs ?? 0));
}

/** The accounts created last, newest first; of equal times the one listed last. */
function newestOf(table: AccountTable, most: number): NewAccount[] {
  const best: { readonly time: number; readonly row: number }[] = [];
  const least = () => (best.length < most ? Number.NEGATIVE_INFINITY : (best.at(-1)?.time ?? 0));
  // The block with the latest times first: after it few others have to be looked at.
  const blocks = table.blocks
    .map((block, at) => ({ block, base: at * blockRows }))
    .filter(({ block }) => !Number.isNaN(block.latest))
    .sort((left, right) => right.block.latest - left.block.latest);
  for (const { block, base } of most > 0 ? blocks : []) {
    if (block.latest < least()) break;
    let threshold = least();
    for (let place = 0; place < block.rows; place++) {
      const time = block.createdAt[place] as number;
      if (!(time >= threshold)) continue;
      const row = base + place;
      const at = best.findIndex((one) => one.time < time || (one.time === time && one.row < row));
      best.splice(at < 0 ? best.length : at, 0, { time, row });
      if (best.length > most) best.pop();
      threshold = least();
    }
  }
  return best.map(({ time, row }) => {
    const block = table.blockOf(row);
    const place = table.placeOf(row);
    return {
      external: fieldText(block, place, TextColumn.external),
      service: fieldText(block, place, TextColumn.service),
      createdAt: time,
    };
  });
}
