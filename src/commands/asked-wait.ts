import type { RateLimitPause } from "../api/rate-limit.ts";
import { waitText } from "../text/durations.ts";
import type { Invocation } from "./invocation.ts";
import { narrate } from "./writes/progress.ts";

/** Calls under way together are told to wait together: that is said once. */
const togetherMs = 2_000;

/** Tells on stderr that nothing is asked of the service for a while, because it wants that (429). */
export function rateLimitReporter(invocation: Invocation): (wait: RateLimitPause) => void {
  const { clock } = invocation.io;
  let toldUntil = Number.NEGATIVE_INFINITY;
  return ({ until }) => {
    if (until <= toldUntil + togetherMs) return;
    toldUntil = until;
    const span = waitText(until - clock.now());
    narrate(invocation, `Waiting ${span}, as the service asks (429); then it is asked again.`);
  };
}
