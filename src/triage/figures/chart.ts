import { dayMs, hourMs, minuteMs } from "../../text/durations.ts";

const weekMs = 7 * dayMs;
/** The first Monday after 1970 began, on a Thursday. Weeks begin on Monday. */
const firstMonday = 4 * dayMs;

/** Bucket sizes with a natural name. Larger ones are multiples of a week. */
const sizes: readonly number[] = [
  ...[1, 5, 15, 30].map((minutes) => minutes * minuteMs),
  ...[1, 3, 6, 12].map((hours) => hours * hourMs),
  dayMs,
  weekMs,
];

/** Accounts created per bucket of time, without gaps, oldest first. */
export interface CreatedChart {
  /** Start of the first bucket in epoch milliseconds. */
  readonly startMs: number;
  readonly bucketMs: number;
  readonly counts: readonly number[];
}

/** The start, size and number of a chart's buckets. */
interface Buckets {
  readonly startMs: number;
  readonly bucketMs: number;
  readonly count: number;
}

/**
 * Returns the smallest natural bucket size, at least `leastMs`, with which everything from
 * `earliest` to `latest` (epoch milliseconds) fits into `most` buckets. `zoneOffsetMs` is east of
 * UTC and decides when days and weeks begin.
 */
export function bucketsFor(
  earliest: number,
  latest: number,
  options: {
    readonly most: number;
    readonly zoneOffsetMs: number;
    readonly leastMs?: number;
  },
): Buckets {
  const most = Math.max(1, Math.floor(options.most));
  const zone = options.zoneOffsetMs;
  for (let step = 0; ; step++) {
    const bucketMs = sizes[step] ?? weekMs * 2 ** (step - sizes.length + 1);
    if (bucketMs < (options.leastMs ?? 0)) continue;
    const shift = bucketMs >= weekMs ? firstMonday - zone : -zone;
    const startMs = Math.floor((earliest - shift) / bucketMs) * bucketMs + shift;
    const count = Math.floor((latest - startMs) / bucketMs) + 1;
    if (count <= most || bucketMs > 2 ** 53)
      return { startMs, bucketMs, count: Math.min(count, most) };
  }
}
