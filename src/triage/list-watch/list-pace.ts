import type { Clock } from "../../api/clock.ts";
import { roundIntervalMs, roundLimits } from "../../watch/pace.ts";

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
    sent = sent.filter(({ at }) => at > now - roundLimits.windowMs);
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
            if (sent.length < roundLimits.requests || oldest === undefined) break;
            await clock.sleep(oldest.at + roundLimits.windowMs - clock.now(), signal);
          }
          requests += 1;
          sent.push({ at: clock.now(), isLookUp: false });
        },
        /** Returns true if a look-up can be sent now, and counts it. */
        takeLookUp() {
          const forLists = Math.min(Math.max(2, roundCost()), roundLimits.requests - 1);
          if (lookUps() >= roundLimits.lookUps || sent.length >= roundLimits.requests - forLists)
            return false;
          sent.push({ at: clock.now(), isLookUp: true });
          return true;
        },
        /** Milliseconds from the beginning of one round to that of the next; at least `askedMs`. */
        intervalMs(askedMs: number) {
          const left = roundLimits.requests - inWindow().length;
          const [oldest] = sent;
          const reliefMs =
            oldest === undefined ? 0 : oldest.at + roundLimits.windowMs - clock.now();
          return roundIntervalMs(askedMs, { left, reliefMs, cost: roundCost() });
        },
        leave() {
          costs.delete(key);
        },
      };
    },
  };
}

export type ListPace = ReturnType<typeof createListPace>;
