/** Decides which creation times are plausible, for the figures of a list. */
import { minuteMs } from "../../text/durations.ts";
import { plural } from "../../text/numbers.ts";

/** Maximum difference between two correct clocks. */
const clockSkewMs = 5 * minuteMs;

/**
 * Returns the last plausible creation time on a list that was requested at `now` (epoch
 * milliseconds). An account cannot be created after the response that lists it. Figures exclude
 * accounts with a later time, because they would remain the newest.
 */
export function latestCreation(now: number): number {
  return now + clockSkewMs;
}

/** Returns the note that figures exclude accounts, or an empty text if they exclude none. */
export function aheadWords(ahead: number): string {
  return ahead === 0 ? "" : `${plural(ahead, "account")} created in the future: not counted`;
}
