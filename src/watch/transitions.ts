/** The state of something the service knows nothing of (404): a state of its own, not UNKNOWN. */
export const notFound = "404";

/** A state as it was observed from here. Times are epoch milliseconds. */
export interface Transition {
  readonly state: string;
  /** When it was first seen; it may have begun earlier. */
  readonly firstSeenAt: number;
  readonly lastSeenAt: number;
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
