import { minuteMs } from "../../text/durations.ts";
import { plural } from "../../text/numbers.ts";

/** Clocks of two machines that are set right differ by less. */
const clockSkewMs = 5 * minuteMs;

/**
 * Returns the last plausible creation time on a list that was requested at `now` (epoch
 * milliseconds). An account cannot be created after the response that lists it. Figures leave out a
 * later time, because it would stay the newest.
 */
export function latestCreation(now: number): number {
  return now + clockSkewMs;
}

/** Reports that figures leave accounts out, or is empty if they leave out none. */
export function aheadWords(ahead: number): string {
  return ahead === 0 ? "" : `${plural(ahead, "account")} created in the future: not counted`;
}
