import { keyOf, type WatchSubject } from "./subject.ts";
import { observe, type Transition } from "./transitions.ts";

/** What was seen of accounts and supply points, wherever in the program they were looked at. */
export interface Sightings {
  /** Empty while nothing was seen of it. */
  of(subject: WatchSubject): readonly Transition[];
  /** Takes one more look in; gives the timeline with it. Epoch milliseconds. */
  saw(subject: WatchSubject, state: string, at: number): readonly Transition[];
  /**
   * Takes over a timeline from elsewhere: all of it where nothing is known yet, else what it knows
   * from before.
   */
  recall(subject: WatchSubject, timeline: readonly Transition[]): void;
}

/** So many subjects are remembered; those looked at longest ago are forgotten first. */
const mostRemembered = 2_000;

/** An earlier timeline and a later one as one; where they overlap, the later one holds. */
function joined(earlier: readonly Transition[], later: readonly Transition[]) {
  const [first, ...rest] = later;
  if (first === undefined) return earlier;
  const before = earlier.filter(({ firstSeenAt }) => firstSeenAt < first.firstSeenAt);
  const latest = before.at(-1);
  if (latest?.state !== first.state) return [...before, first, ...rest];
  return [...before.slice(0, -1), { ...first, firstSeenAt: latest.firstSeenAt }, ...rest];
}

/** Remembers for as long as it is held: a session with one service. */
export function createSightings(): Sightings {
  const timelines = new Map<string, readonly Transition[]>();
  const put = (key: string, timeline: readonly Transition[]) => {
    timelines.delete(key);
    timelines.set(key, timeline);
    const [oldest] = timelines.keys();
    if (timelines.size > mostRemembered && oldest !== undefined) timelines.delete(oldest);
  };
  return {
    of: (subject) => timelines.get(keyOf(subject)) ?? [],
    saw(subject, state, at) {
      const key = keyOf(subject);
      const timeline = observe(timelines.get(key) ?? [], state, at);
      put(key, timeline);
      return timeline;
    },
    recall(subject, timeline) {
      const key = keyOf(subject);
      const known = timelines.get(key);
      if (timeline.length > 0 && known !== timeline) put(key, joined(timeline, known ?? []));
    },
  };
}
