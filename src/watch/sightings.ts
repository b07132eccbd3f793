import { keyOf, type WatchSubject } from "./subject.ts";
import { observe, type Transition } from "./transitions.ts";

/** What was seen of accounts and supply points, wherever in the program they were looked at. */
export interface Sightings {
  /** Empty while nothing was seen of it. */
  of(subject: WatchSubject): readonly Transition[];
  /** Takes one more look in; gives the timeline with it. Epoch milliseconds. */
  saw(subject: WatchSubject, state: string, at: number): readonly Transition[];
  /** Takes over what was seen earlier, of what nothing was seen since. */
  recall(subject: WatchSubject, timeline: readonly Transition[]): void;
}

/** So many subjects are remembered; those looked at longest ago are forgotten first. */
const mostRemembered = 2_000;

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
      if (timeline.length > 0 && !timelines.has(key)) put(key, timeline);
    },
  };
}
