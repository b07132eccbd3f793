/** Remembers the observed states of accounts and supply points during a session. */
import { keyOf, observe, type Transition, type WatchSubject } from "./timeline.ts";

/** Maximum number of remembered subjects. The subject checked longest ago is removed first. */
const maxRemembered = 2_000;

/** Joins an earlier and a later timeline. If they overlap, the later timeline is used. */
function joined(earlier: readonly Transition[], later: readonly Transition[]) {
  const [first, ...rest] = later;
  if (first === undefined) return earlier;
  const before = earlier.filter(({ firstSeenAt }) => firstSeenAt < first.firstSeenAt);
  const latest = before.at(-1);
  if (latest?.state !== first.state) return [...before, first, ...rest];
  return [...before.slice(0, -1), { ...first, firstSeenAt: latest.firstSeenAt }, ...rest];
}

/**
 * Creates the observations of a session with one service. `onObserved` is called with every check.
 * `wrongByMs` returns the milliseconds by which this machine's clock is ahead of the service's
 * clock. Timelines use the service's time.
 */
export function createCheckHistory(
  onObserved: (subject: WatchSubject, state: string, at: number) => void = () => {},
  wrongByMs: () => number = () => 0,
) {
  const timelines = new Map<string, readonly Transition[]>();
  const repeats = new Map<string, number>();
  const put = (key: string, timeline: readonly Transition[]) => {
    timelines.delete(key);
    timelines.set(key, timeline);
    const [oldest] = timelines.keys();
    if (timelines.size <= maxRemembered || oldest === undefined) return;
    timelines.delete(oldest);
    repeats.delete(oldest);
  };
  return {
    of: (subject: WatchSubject) => timelines.get(keyOf(subject)) ?? [],
    repeatsOf: (subject: WatchSubject) => repeats.get(keyOf(subject)) ?? 0,
    *accounts(supplier: string): Generator<readonly [string, readonly Transition[]], void, void> {
      for (const [key, timeline] of timelines) {
        const [kind, keySupplier, number] = JSON.parse(key);
        if (kind === "account" && keySupplier === supplier) yield [number, timeline];
      }
    },
    /** Adds a check at `checkedAt` (epoch milliseconds of this machine). Returns the timeline. */
    saw(subject: WatchSubject, state: string, checkedAt: number) {
      const at = checkedAt - wrongByMs();
      const key = keyOf(subject);
      const before = timelines.get(key) ?? [];
      const timeline = observe(before, { state }, at);
      repeats.set(key, before.at(-1)?.state === state ? (repeats.get(key) ?? 0) + 1 : 0);
      put(key, timeline);
      onObserved(subject, state, at);
      return timeline;
    },
    /** Adds a stored timeline: all of it if nothing is known yet, else only its earlier part. */
    recall(subject: WatchSubject, timeline: readonly Transition[]) {
      const key = keyOf(subject);
      const known = timelines.get(key);
      if (timeline.length > 0 && known !== timeline) put(key, joined(timeline, known ?? []));
    },
  };
}

export type CheckHistory = ReturnType<typeof createCheckHistory>;
