import type { Clock } from "../api/clock.ts";
import type { RateLimitPause } from "../api/rate-limit.ts";
import { createStore, type Store } from "./store.ts";

/** Until when the service has asked to be left alone; for the header's countdown. */
export interface RateLimitStatus {
  /** Epoch milliseconds; null when nothing waits for it. */
  readonly until: Store<number | null>;
  tell(wait: RateLimitPause): void;
  /** Ends the countdown for good. */
  close(): void;
}

/** Remembers the longest of the waits that calls have been asked for, until it is over. */
export function createRateLimitStatus(clock: Clock): RateLimitStatus {
  const until = createStore<number | null>(null);
  const closed = new AbortController();
  return {
    until,
    tell(wait) {
      if (closed.signal.aborted || wait.until <= (until.get() ?? 0)) return;
      until.set(wait.until);
      clock.sleep(Math.max(0, wait.until - clock.now()), closed.signal).then(
        () => {
          if (until.get() === wait.until) until.set(null);
        },
        () => {},
      );
    },
    close() {
      closed.abort();
      until.set(null);
    },
  };
}
