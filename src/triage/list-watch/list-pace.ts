/** Limits the requests of watching by lists, over all suppliers. */
import type { Clock } from "../../api/clock.ts";
import { roundIntervalMs, roundLimits } from "../../watch/pace.ts";

interface SentRequest {
  readonly at: number;
  readonly isLookUp: boolean;
}

/**
 * Creates the shared rate limit of all requests of watching by lists: at most twelve in any minute.
 */
export function createListPace(clock: Clock) {
  let sent: SentRequest[] = [];
  const costs = new Map<object, number>();

  const inWindow = () => {
    const now = clock.elapsed();
    sent = sent.filter(({ at }) => at > now - roundLimits.windowMs);
    return sent;
  };
  const lookUps = () => inWindow().filter(({ isLookUp }) => isLookUp).length;
  const roundCost = () => [...costs.values()].reduce((sum, cost) => sum + cost, 0);

  return {
    /** Adds a supplier with at least `intervalMs` between two rounds, until it calls `leave`. */
    join(intervalMs: number) {
      const key = {};
      costs.set(key, 1);
      let requests = 0;
      return {
        begin() {
          if (requests > 0) costs.set(key, requests);
          requests = 0;
        },
        /** Waits until a request of the list can be sent. Rejects with the signal's reason. */
        async request(signal: AbortSignal) {
          for (;;) {
            signal.throwIfAborted();
            const [oldest] = inWindow();
            if (sent.length < roundLimits.requests || oldest === undefined) break;
            await clock.sleep(oldest.at + roundLimits.windowMs - clock.elapsed(), signal);
          }
          requests += 1;
          sent.push({ at: clock.elapsed(), isLookUp: false });
        },
        /** Returns true if a lookup can be sent now, and counts it. */
        takeLookUp() {
          const reservedForLists = Math.min(Math.max(2, roundCost()), roundLimits.requests - 1);
          if (
            lookUps() >= roundLimits.lookUps ||
            sent.length >= roundLimits.requests - reservedForLists
          )
            return false;
          sent.push({ at: clock.elapsed(), isLookUp: true });
          return true;
        },
        /**
         * Returns the milliseconds from the beginning of one round to the beginning of the next.
         */
        everyMs() {
          const left = roundLimits.requests - inWindow().length;
          const [oldest] = sent;
          const reliefMs =
            oldest === undefined ? 0 : oldest.at + roundLimits.windowMs - clock.elapsed();
          return roundIntervalMs(intervalMs, { left, reliefMs, cost: roundCost() });
        },
        leave() {
          costs.delete(key);
        },
      };
    },
  };
}

export type ListPace = ReturnType<typeof createListPace>;
