/** The spacing of requests under a rate limit, learned from what the service accepts and refuses. */

/** A request that has left. */
export interface Departure {
  /** Time of a clock that never goes back, in milliseconds. */
  readonly at: number;
  /** The spacing in force at that moment, in milliseconds. */
  readonly spacingMs: number;
  /** True if it followed the request before it as closely as the spacing allows. */
  readonly isClose: boolean;
}

/** The first spacing is an estimate: at least this, and at most `mostMs`. */
const leastFirstMs = 100;

/** Maximum spacing, unless the requested pause is shorter. */
const mostMs = 2_000;
/** A spacing below this ends the limit. */
const leastMs = 2;

/** While nothing is refused, requests are counted over this time. */
const countedMs = 10_000;

/** A gap of more than this many spacings does not show that the spacing is accepted. */
const mostGap = 1.5;

/**
 * After `accepted` requests a spacing is tried that is `share` of the one before. Each refused try is
 * followed by the next, more careful line, each successful one by the line before. Found by trying
 * several thousand tables against gates of 0.25 to 1 second.
 */
const tries = [
  { accepted: 1, share: 0.65 },
  { accepted: 3, share: 0.85 },
  { accepted: 30, share: 0.95 },
  { accepted: 60, share: 0.97 },
] as const;

/** A spacing that was accepted and is now refused grows by a factor between these. */
const leastGrowth = 1.25;
const mostGrowth = 2;

/**
 * Learns the spacing. It begins with the pace of the requests that were accepted before the first
 * refusal, gets narrower as long as that is accepted, and returns to the last accepted spacing after a
 * refusal.
 */
export function learnSpacing() {
  let current = 0;
  /** The narrowest spacing that was accepted. */
  let trusted = 0;
  let level = 0;
  /** Requests accepted at the current spacing. */
  let held = 0;
  /** Requests accepted since `from`. */
  let accepted = 0;
  let from = 0;
  let lastAt = Number.NEGATIVE_INFINITY;

  const rule = () => tries[Math.min(level, tries.length - 1)] as (typeof tries)[number];
  /** Returns the milliseconds for each request that was accepted until `at`. */
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
    /** Milliseconds from one request to the next, or 0 if there is no limit. */
    ms: () => current,
    /** Records a request that is sent at `at`. */
    departed(at: number): Departure {
      if (current === 0 && at - from >= countedMs) countFrom(at);
      const isClose = at - lastAt <= current * mostGap;
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
        trust(Math.min(mostMs, Math.max(leastFirstMs, pace(at + pauseMs))));
      } else if (spacingMs < trusted) {
        level = Math.min(tries.length - 1, level + 1);
        current = trusted;
      } else {
        // The limit is another one than before: it is learned again.
        level = Math.min(1, level);
        const grown = Math.max(leastGrowth * trusted, pace(at));
        trust(Math.min(Math.max(mostMs, pauseMs), mostGrowth * trusted, grown));
      }
      if (accepted > 0) countFrom(at);
    },
  };
}
