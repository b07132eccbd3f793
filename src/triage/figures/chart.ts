/** Divides a span of time into the buckets of a chart of created accounts. */
import { dayMs, hourMs, minuteMs } from "../../text/durations.ts";

const weekMs = 7 * dayMs;
/** The first Monday of 1970, which began on a Thursday. Weeks begin on Monday. */
const firstMonday = 4 * dayMs;

const bucketSizes: readonly number[] = [
  ...[1, 5, 15, 30].map((minutes) => minutes * minuteMs),
  ...[1, 3, 6, 12].map((hours) => hours * hourMs),
  dayMs,
  weekMs,
];

/** The number of accounts created in each bucket of time, without gaps, oldest first. */
export interface CreatedChart {
  readonly startMs: number;
  readonly bucketMs: number;
  readonly counts: readonly number[];
}

interface Buckets {
  readonly startMs: number;
  readonly bucketMs: number;
  readonly count: number;
}

/**
 * Returns the buckets from `earliest` to `latest` (epoch milliseconds): at most `maxCount` of
 * them, of the smallest size that is at least `minBucketMs`. `zoneOffsetMs` is the offset of the
 * time zone east of UTC, which decides when days and weeks begin.
 */
export function bucketsFor(
  earliest: number,
  latest: number,
  options: {
    readonly maxCount: number;
    readonly zoneOffsetMs: number;
    readonly minBucketMs?: number;
  },
): Buckets {
  const maxCount = Math.max(1, Math.floor(options.maxCount));
  const offsetMs = options.zoneOffsetMs;
  for (let step = 0; ; step++) {
    const bucketMs = bucketSizes[step] ?? weekMs * 2 ** (step - bucketSizes.length + 1);
    if (bucketMs < (options.minBucketMs ?? 0)) continue;
    const shift = bucketMs >= weekMs ? firstMonday - offsetMs : -offsetMs;
    const startMs = Math.floor((earliest - shift) / bucketMs) * bucketMs + shift;
    const count = Math.floor((latest - startMs) / bucketMs) + 1;
    if (count <= maxCount || bucketMs > 2 ** 53)
      return { startMs, bucketMs, count: Math.min(count, maxCount) };
  }
}
