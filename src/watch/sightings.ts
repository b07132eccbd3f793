import { keyOf, type WatchSubject } from "./subject.ts";
import { observe, type Transition } from "./transitions.ts";

/** What was observed of accounts and supply points, wherever in the program they were checked. */
export interface Sightings {
  /** Empty before the first check. */
  of(subject: WatchSubject): readonly Transition[];
  /** Adds one more check, and returns the timeline with it. Epoch milliseconds. */
  saw(subject: WatchSubject, state: string, at: number): readonly Transition[];
  /**
   * Adds a timeline from elsewhere: all of it where nothing is known yet, else only its part from
   * before.
   */
  recall(subject: WatchSubject, timeline: readonly Transition[]): void;
}

/** Subjects remembered at the most; those checked longest ago are forgotten first. */
const mostRemembered = 2_000;

/** Joins an earlier and a later timeline; where they overlap, the later one counts. */
function joined(earlier: readonly Transition[], later: readonly Transition[]) {
  const [first, ...rest] = later;
  if (first === undefined) return earlier;
  const before = earlier.filter(({ firstSeenAt }) => firstSeenAt < first.firstSeenAt);
  const latest = before.at(-1);
  if (latest?.state !== first.state) return [...before, first, ...rest];
  return [...before.slice(0, -1), { ...first, firstSeenAt: latest.firstSeenAt }, ...rest];
}

/** Lives as long as a session with one service; `onSaw` is called with every check. */
export function createSightings(
  onSaw: (subject: WatchSubject, state: string, at: number) => void = () => {},
): Sightings {
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
      onSaw(subject, state, at);
      return timeline;
    },
    recall(subject, timeline) {
      const key = keyOf(subject);
      const known = timelines.get(key);
      if (timeline.length > 0 && known !== timeline) put(key, joined(timeline, known ?? []));
    },
  };
}
