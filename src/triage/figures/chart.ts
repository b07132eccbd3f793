import { dayMs, hourMs, minuteMs } from "../../text/durations.ts";

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

/** Accounts created per bucket of time, without gaps, oldest first. */
export interface CreatedChart {
  /** Epoch milliseconds at which the first bucket begins. */
  readonly startMs: number;
  readonly bucketMs: number;
  readonly counts: readonly number[];
}

/** Where the buckets of a chart lie. */
interface Buckets {
  readonly startMs: number;
  readonly bucketMs: number;
  readonly count: number;
}

/**
 * The smallest natural size, at least `leastMs`, with which everything from `earliest` to `latest`
 * (epoch milliseconds) fits into `most` buckets. `zoneOffsetMs` is east of UTC; days and weeks begin
 * by it.
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
