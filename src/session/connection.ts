/** The state of the connection to the service, and its pauses because of the rate limit. */
import type { Clock } from "../api/clock.ts";
import { errorOrigins, isServiceError, type ServiceError } from "../api/errors.ts";
import type { RateLimitPause } from "../api/rate-limit.ts";
import { createStore } from "./store.ts";

/** The state of the connection to the service after the last calls, in epoch milliseconds. */
export type Link =
  | { readonly kind: "unknown" }
  | { readonly kind: "online" }
  | { readonly kind: "offline"; readonly since: number }
  /** The service accepts requests and does not respond. */
  | { readonly kind: "silent"; readonly since: number };

/**
 * Returns the state of the connection after another call. `error` is null if the call succeeded. An
 * error that the service sent proves that the service can be reached. A write without a response
 * proves nothing.
 */
export function linkAfter(before: Link, error: unknown, now: number): Link {
  if (!isServiceError(error)) return before.kind === "online" ? before : { kind: "online" };
  const since = before.kind === "offline" || before.kind === "silent" ? before.since : now;
  switch (errorOrigins[error.kind]) {
    case "cancelled":
      return before;
    case "connection":
      if (isLostResponse(error)) return before;
      return before.kind === "offline" ? before : { kind: "offline", since };
    case "silence":
      if (isLostResponse(error)) return before;
      return before.kind === "silent" ? before : { kind: "silent", since };
    case "status":
    case "body":
    case "caller":
      return before.kind === "online" ? before : { kind: "online" };
  }
}

function isLostResponse({ facts }: ServiceError): boolean {
  const { method = "GET", url = "", sent } = facts;
  return method !== "GET" && method !== "HEAD" && sent !== false && url.includes("/data-import/");
}

/** Creates the rate limit's status. `until` is the end of the longest pause, while it lasts. */
export function createRateLimitStatus(clock: Clock) {
  const until = createStore<number | null>(null);
  const closed = new AbortController();
  return {
    /** The epoch milliseconds at which the pause ends, or null if there is none. */
    until,
    report(pause: RateLimitPause) {
      if (closed.signal.aborted || pause.until <= (until.get() ?? 0)) return;
      until.set(pause.until);
      clock.sleep(pause.until - clock.now(), closed.signal).then(
        () => {
          if (until.get() === pause.until) until.set(null);
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
