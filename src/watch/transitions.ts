/** The state of something the service knows nothing of (404): a state of its own, not UNKNOWN. */
export const notFound = "404";

/** A state as it was observed from here. Times are epoch milliseconds. */
export interface Transition {
  readonly state: string;
  /** When it was first seen; it may have begun earlier. */
  readonly firstSeenAt: number;
  readonly lastSeenAt: number;
}

/**
 * When the latest state of a timeline began, as far as looking tells. Times are epoch milliseconds.
 *
 * - `seen`: between two looks in a row, which is when it was first seen.
 * - `between`: while nobody looked, after another state was last seen.
 * - `before`: it was there at the first look, and may be of any age.
 */
export type Began =
  | { readonly kind: "seen"; readonly at: number }
  | { readonly kind: "between"; readonly after: number; readonly at: number }
  | { readonly kind: "before"; readonly at: number };

/** Looks further apart than this are not in a row: polling that backs off waits a minute. */
const inARowMs = 90_000;

/** When the latest state began; null before the first look. */
export function beganOf(timeline: readonly Transition[]): Began | null {
  const latest = timeline.at(-1);
  if (latest === undefined) return null;
  const at = latest.firstSeenAt;
  const earlier = timeline.at(-2);
  if (earlier === undefined) return { kind: "before", at };
  const after = earlier.lastSeenAt;
  return at - after > inARowMs ? { kind: "between", after, at } : { kind: "seen", at };
}

/** At most so many are kept, oldest let go. */
const kept = 200;

/** The timeline with one more look at it: a new entry when the state is another one. */
export function observe(
  timeline: readonly Transition[],
  state: string,
  at: number,
): readonly Transition[] {
  const last = timeline.at(-1);
  if (last?.state === state) return [...timeline.slice(0, -1), { ...last, lastSeenAt: at }];
  return [...timeline, { state, firstSeenAt: at, lastSeenAt: at }].slice(-kept);
}
