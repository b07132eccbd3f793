/** Learns the time between requests with which the service returns no 429. */

export interface Departure {
  /** Time of sending in milliseconds, by a clock that never goes back. */
  readonly at: number;
  /** The spacing at that time, in milliseconds. */
  readonly spacingMs: number;
  /** True if the request followed the previous one as closely as the spacing allows. */
  readonly isClose: boolean;
}

/** Minimum of the first spacing, because that is only an estimate. */
const minFirstMs = 100;

/** Maximum spacing, unless the requested pause is longer. */
const maxMs = 2_000;

/** Minimum spacing. A smaller one counts as no limit. */
const minMs = 2;

/** Time in which requests are counted while there is no 429. */
const countedMs = 10_000;

/** Maximum gap between two requests, in spacings, with which they test the spacing. */
const maxGap = 1.5;

/**
 * The steps by which the spacing is reduced. After `accepted` requests, the next spacing is `share`
 * of the current one. A 429 leads to the next step, which is more careful, and a success to the
 * previous step. The values are the best of several thousand tables for limits of 0.25 to 1 s.
 */
const steps = [
  { accepted: 1, share: 0.65 },
  { accepted: 3, share: 0.85 },
  { accepted: 30, share: 0.95 },
  { accepted: 60, share: 0.97 },
] as const;

/** The limits of a spacing's growth after a 429, if that spacing was accepted before. */
const minGrowth = 1.25;
const maxGrowth = 2;

/**
 * Learns the spacing. The first spacing is the pace of the requests before the first 429. The
 * spacing is reduced while the service accepts it, and returns to the last accepted spacing after a
 * 429.
 */
export function learnSpacing() {
  let current = 0;
  /** The smallest accepted spacing in milliseconds. */
  let trusted = 0;
  /** The index of the current step. */
  let level = 0;
  /** Number of requests that were accepted at the current spacing. */
  let acceptedNow = 0;
  /** Number of requests accepted since `from`. */
  let accepted = 0;
  let from = 0;
  let lastAt = Number.NEGATIVE_INFINITY;

  const currentStep = () => steps[Math.min(level, steps.length - 1)] as (typeof steps)[number];
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
    departed(at: number): Departure {
      if (current === 0 && at - from >= countedMs) countFrom(at);
      const isClose = at - lastAt <= current * maxGap;
      lastAt = at;
      return { at, spacingMs: current, isClose };
    },
    accepted({ spacingMs, isClose }: Departure): void {
      accepted += 1;
      if (current === 0 || spacingMs !== current || !isClose) return;
      acceptedNow += 1;
      if (acceptedNow < currentStep().accepted) return;
      acceptedNow = 0;
      if (current < trusted) level = Math.max(Math.min(1, level), level - 1);
      trusted = current;
      current *= currentStep().share;
      if (current < minMs) trust(0);
    },
    limited({ spacingMs }: Departure, at: number, pauseMs: number): void {
      acceptedNow = 0;
      if (current === 0) {
        level = 0;
        trust(Math.min(maxMs, Math.max(minFirstMs, pace(at + pauseMs))));
      } else if (spacingMs < trusted) {
        level = Math.min(steps.length - 1, level + 1);
        current = trusted;
      } else {
        // The service's limit has changed, so the spacing is learned again.
        level = Math.min(1, level);
        const grown = Math.max(minGrowth * trusted, pace(at));
        trust(Math.min(Math.max(maxMs, pauseMs), maxGrowth * trusted, grown));
      }
      if (accepted > 0) countFrom(at);
    },
  };
}
