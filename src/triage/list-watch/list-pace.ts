import type { Clock } from "../../api/clock.ts";

/** Milliseconds between the beginnings of two rounds, at least. */
const shortestRoundMs = 5_000;

const windowMs = 60_000;
/** Requests in any minute, lists and look-ups of all suppliers together. */
const mostRequests = 12;
/** Look-ups among them: the others are for lists, so that rounds go on. */
const mostLookUps = 8;

interface Sent {
  at: number;
  readonly isLookUp: boolean;
}

/** The rate of all requests of watching by lists: at most twelve in any minute. */
export function createListPace(clock: Clock) {
  let sent: Sent[] = [];
  /** Requests of the latest round of each supplier. */
  const costs = new Map<object, number>();

  const inWindow = () => {
    const now = clock.now();
    sent = sent.filter(({ at }) => at > now - windowMs);
    // A clock that was set back must not stop everything.
    for (const one of sent) one.at = Math.min(one.at, now);
    return sent;
  };
  const lookUps = () => inWindow().filter(({ isLookUp }) => isLookUp).length;
  const roundCost = () => [...costs.values()].reduce((sum, cost) => sum + cost, 0);

  return {
    /** A supplier that is watched from now on, until it leaves. */
    join() {
      const key = {};
      costs.set(key, 1);
      let requests = 0;
      return {
        /** Begins a round: the number of its requests is the room that the next one needs. */
        begin() {
          if (requests > 0) costs.set(key, requests);
          requests = 0;
        },
        /** Waits until a request of the list may be sent. Rejects with the signal's reason. */
        async request(signal: AbortSignal) {
          for (;;) {
            signal.throwIfAborted();
            const [oldest] = inWindow();
            if (sent.length < mostRequests || oldest === undefined) break;
            await clock.sleep(oldest.at + windowMs - clock.now(), signal);
          }
          requests += 1;
          sent.push({ at: clock.now(), isLookUp: false });
        },
        /** Whether a look-up may be sent now; if so, it is counted. */
        takeLookUp() {
          const forLists = Math.min(Math.max(2, roundCost()), mostRequests - 1);
          if (lookUps() >= mostLookUps || sent.length >= mostRequests - forLists) return false;
          sent.push({ at: clock.now(), isLookUp: true });
          return true;
        },
        /** Milliseconds from the beginning of one round to that of the next; at least `askedMs`. */
        intervalMs(askedMs: number) {
          // What is left of the minute is spread over it, so that rounds do not stop at its end.
          const left = mostRequests - inWindow().length;
          const relief = (sent[0]?.at ?? clock.now() - windowMs) + windowMs - clock.now();
          const spacing = Math.ceil((relief * roundCost()) / (left + 1));
          return Math.max(askedMs, shortestRoundMs, spacing);
        },
        leave() {
          costs.delete(key);
        },
      };
    },
  };
}

export type ListPace = ReturnType<typeof createListPace>;
