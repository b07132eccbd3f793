/** How many requests may be under way: felt for from below, as what the service bears changes. */

export interface Limit {
  /** At least 1. */
  current(): number;
  /** A number for a request that leaves now, to tell it from those that left before a cut. */
  leaves(): number;
  /** An answer came after `ms`; `full` says whether as many were under way as may be. */
  answered(ms: number, full: boolean): void;
  /** The request that left with this number met an overload. */
  strained(left: number): void;
  /** Begins again at the bottom, after the service was down. */
  restart(): void;
}

const first = 2;

/** How much of a newer latency goes into the running mean, and into the floor when it is higher. */
const meanShare = 0.15;
const floorShare = 0.005;

/** Slower than the floor by this factor, and by so many milliseconds, is an overload under way. */
const slowFactor = 2.5;
const slowMs = 150;

const easeTo = 0.85;

/**
 * A limit from 1 to `ceiling`. It doubles with each round trip until the first cut and then grows by
 * one; an overload halves it, once for all requests that were under way together; answers that take
 * much longer than they did make it shrink slowly.
 */
export function adaptiveLimit(ceiling: number): Limit {
  let limit = Math.min(first, ceiling);
  let starting = true;
  let left = 0;
  let cutAt = 0;
  let mean: number | null = null;
  let floor: number | null = null;

  const cut = (to: number) => {
    limit = Math.max(1, Math.min(ceiling, to));
    starting = false;
    cutAt = left;
  };

  return {
    current: () => Math.max(1, Math.floor(limit)),
    leaves: () => {
      left += 1;
      return left;
    },
    answered: (ms, full) => {
      mean = mean === null ? ms : mean + (ms - mean) * meanShare;
      floor = floor === null || ms < floor ? ms : floor + (ms - floor) * floorShare;
      if (mean > floor * slowFactor && mean - floor > slowMs) {
        if (left - cutAt >= limit) cut(limit * easeTo);
      } else if (full) {
        limit = Math.min(ceiling, limit + (starting ? 1 : 1 / limit));
      }
    },
    strained: (number) => {
      if (number > cutAt) cut(limit / 2);
    },
    restart: () => {
      cut(1);
      starting = true;
      mean = null;
    },
  };
}
