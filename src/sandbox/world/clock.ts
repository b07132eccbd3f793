/** The sandbox's time: real instants, and the pace of its moving processes. */

export interface Clock {
  /** Instant of the sandbox's (or its data folder's) first start, epoch ms. */
  readonly epoch: number;
  readonly now: () => number;
  /** Seconds of natural pace per real second. 0 stops all movement. */
  readonly speed: number;
}

/** Returns the seconds of natural pace between two instants. */
export function secondsBetween(clock: Clock, from: number, to: number): number {
  return ((to - from) / 1000) * clock.speed;
}

/** Returns the instant that is `seconds` of natural pace after another. */
export function instantAfter(clock: Clock, from: number, seconds: number): number {
  return clock.speed === 0 ? Number.POSITIVE_INFINITY : from + (seconds * 1000) / clock.speed;
}

/**
 * Returns the seconds from the start to an instant. Before the start they are negative, and at
 * natural pace.
 */
export function elapsedAt(clock: Clock, at: number): number {
  const { epoch } = clock;
  return at < epoch ? (at - epoch) / 1000 : secondsBetween(clock, epoch, at);
}

/** Returns the instant that is `seconds` after the start, or before it. */
export function instantAt(clock: Clock, seconds: number): number {
  const { epoch } = clock;
  return seconds <= 0 ? epoch + seconds * 1000 : instantAfter(clock, epoch, seconds);
}

/** Formats a datetime as the service does: `2025-01-31T09:30:00Z`. */
export function toSeconds(epochMs: number): string {
  return `${new Date(epochMs).toISOString().slice(0, 19)}Z`;
}

/**
 * Formats an instant with a UTC offset, as in supply point import processes:
 * `2025-01-31T09:30:00.125+00:00`.
 */
export function withOffset(epochMs: number): string {
  return `${new Date(epochMs).toISOString().slice(0, 23)}+00:00`;
}
