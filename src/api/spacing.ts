/**
 * Learns the minimum time between requests from the requests that the service accepts and refuses.
 */

/** A request that was sent. */
export interface Departure {
  /** Time of sending in milliseconds, by a clock that never goes back. */
  readonly at: number;
  /** The spacing at that time, in milliseconds. */
  readonly spacingMs: number;
  /** True if the request followed the previous one as closely as the spacing allows. */
  readonly isClose: boolean;
}

/** Minimum of the first spacing in milliseconds, which is an estimate. */
const leastFirstMs = 100;

/** Maximum spacing in milliseconds, unless the requested pause is longer. */
const maxMs = 2_000;
/** Minimum spacing in milliseconds. A smaller one counts as no limit. */
const leastMs = 2;

/** Time over which requests are counted while nothing is refused, in milliseconds. */
const countedMs = 10_000;

/** Maximum gap between requests, in spacings, that shows that the spacing is accepted. */
const maxGap = 1.5;

/**
 * The steps of trying a smaller spacing. After `accepted` requests, the next spacing is `share` of
 * the current one. A refused try leads to the next, more careful step, a successful one to the
 * previous step. The values are the best of several thousand tables for limits of 0.25 to 1 s.
 */
const tries = [
  { accepted: 1, share: 0.65 },
  { accepted: 3, share: 0.85 },
  { accepted: 30, share: 0.95 },
  { accepted: 60, share: 0.97 },
] as const;

/**
 * The minimum and maximum factor by which a spacing grows if it was accepted before and is now
 * refused.
 */
const leastGrowth = 1.25;
const maxGrowth = 2;

/**
 * Learns the spacing. The first spacing is the pace of the requests before the first refusal. It
 * shrinks while the service accepts it, and returns to the last accepted spacing after a refusal.
 */
export function learnSpacing() {
  let current = 0;
  /** The smallest accepted spacing in milliseconds. */
  let trusted = 0;
  let level = 0;
  /** Number of requests accepted at the current spacing. */
  let held = 0;
  /** Number of requests accepted since `from`. */
  let accepted = 0;
  let from = 0;
  let lastAt = Number.NEGATIVE_INFINITY;

  const rule = () => tries[Math.min(level, tries.length - 1)] as (typeof tries)[number];
  /** Returns the milliseconds per accepted request from `from` to `at`. */
  const pace = (at: number) => (at - from) / Math.max(1, accepted);
  const countFrom = (at: number) => {
    from = at;
    accepted = 0;
  };
  const trust = (ms: number) => {
    current = ms;
    trusted = ms;
  };

  return {
    /** Returns the milliseconds from one request to the next, or 0 if there is no limit. */
    ms: () => current,
    /** Records a request that is sent at `at`. */
    departed(at: number): Departure {
      if (current === 0 && at - from >= countedMs) countFrom(at);
      const isClose = at - lastAt <= current * maxGap;
      lastAt = at;
      return { at, spacingMs: current, isClose };
    },
    accepted({ spacingMs, isClose }: Departure): void {
      accepted += 1;
      if (current === 0 || spacingMs !== current || !isClose) return;
      held += 1;
      if (held < rule().accepted) return;
      held = 0;
      if (current < trusted) level = Math.max(Math.min(1, level), level - 1);
      trusted = current;
      current *= rule().share;
      if (current < leastMs) trust(0);
    },
    /** Records a refusal at `at` that requests a pause of `pauseMs`. */
    refused({ spacingMs }: Departure, at: number, pauseMs: number): void {
      held = 0;
      if (current === 0) {
        level = 0;
        trust(Math.min(maxMs, Math.max(leastFirstMs, pace(at + pauseMs))));
      } else if (spacingMs < trusted) {
        level = Math.min(tries.length - 1, level + 1);
        current = trusted;
      } else {
        // The service's limit has changed, so the spacing is learned again.
        level = Math.min(1, level);
        const grown = Math.max(leastGrowth * trusted, pace(at));
        trust(Math.min(Math.max(maxMs, pauseMs), maxGrowth * trusted, grown));
      }
      if (accepted > 0) countFrom(at);
    },
  };
}
