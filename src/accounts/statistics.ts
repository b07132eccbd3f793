import { blockRows, fieldText, TextColumn } from "./columns.ts";
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

/** Spans in which the recent rate is looked for, the shortest telling one first. */
const windows: readonly number[] = [hourMs, 6 * hourMs, dayMs, weekMs];
/** As many creations tell a rate; fewer are shown as a rate but not extrapolated. */
const telling = 20;
/** Creation times this far ahead of the local clock still count as now. */
const clockSkewMs = 5 * minuteMs;
const farthestMs = 10 * 365 * dayMs;

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

/** How fast accounts have been created lately. */
export interface CreationRate {
  readonly perHour: number;
  /** Accounts counted, and the milliseconds before now in which they were created. */
  readonly count: number;
  readonly windowMs: number;
}

/**
 * Why there is no estimate:
 * - `nothing-pending`: every account listed is imported
 * - `no-creation-times`: no account carries a readable creation time
 * - `standstill`: none was created in the last seven days
 * - `too-few`: fewer than twenty were
 * - `too-far`: at the present rate more than ten years
 * - `not-all-kept`: more accounts came than memory allows, so that no rate can be told
 */
export type NoEstimate =
  | "nothing-pending"
  | "no-creation-times"
  | "standstill"
  | "too-few"
  | "too-far"
  | "not-all-kept";

/** When the pending accounts would be imported if the recent rate held. */
export type FinishEstimate =
  | { readonly kind: "estimate"; readonly at: number }
  | { readonly kind: "none"; readonly reason: NoEstimate };

/**
 * What a list says as a whole. Where more accounts came than are kept, the counts are still those of
 * all; chart and newest are of those kept.
 */
export interface AccountStatistics {
  readonly total: number;
  readonly imported: number;
  readonly pending: number;
  /** Imported accounts without a readable creation time: in no bucket and no rate; told of whole lists. */
  readonly undated: number;
  /** Null while no creation time is known. */
  readonly created: CreatedChart | null;
  readonly newest: readonly NewAccount[];
  /** Null while no creation time is known, and where not all accounts are kept. */
  readonly rate: CreationRate | null;
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
      rate: null,
      finish: none(pending === 0 ? "nothing-pending" : cut ? "not-all-kept" : "no-creation-times"),
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
  const rate = cut ? null : rateOf(recent, options.now - earliest);
  return {
    total: came,
    imported,
    pending,
    undated: cut ? 0 : Math.max(0, imported - dated),
    created: { startMs, bucketMs, counts },
    newest: newestOf(table, options.newest ?? 10),
    rate,
    finish: rate
      ? finishOf(pending, rate, options.now)
      : none(pending === 0 ? "nothing-pending" : "not-all-kept"),
  };
}

function none(reason: NoEstimate): FinishEstimate {
  return { kind: "none", reason };
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

function rateOf(recent: readonly number[], age: number): CreationRate {
  const found = recent.findIndex((count) => count >= telling);
  const at = found < 0 ? windows.length - 1 : found;
  const count = recent[at] ?? 0;
  // A migration younger than the window is not slower for it.
  const windowMs = Math.min(windows[at] ?? weekMs, Math.max(age, minuteMs));
  return { perHour: (count * hourMs) / windowMs, count, windowMs };
}

function finishOf(pending: number, rate: CreationRate, now: number): FinishEstimate {
  if (pending === 0) return none("nothing-pending");
  if (rate.count === 0) return none("standstill");
  if (rate.count < telling) return none("too-few");
  const ms = (pending / rate.perHour) * hourMs;
  return ms > farthestMs ? none("too-far") : { kind: "estimate", at: now + ms };
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
