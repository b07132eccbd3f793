import { minuteMs } from "../../text/durations.ts";
import { plural } from "../../text/numbers.ts";

/** Clocks of two machines that are set right differ by less. */
const clockSkewMs = 5 * minuteMs;

/**
 * Returns the last creation time that can be right on a list that was asked for at `now` (epoch
 * milliseconds). An account cannot have been created later than the answer that lists it: figures leave
 * such a time out, because it would stay the newest until then.
 */
export function latestCreation(now: number): number {
  return now + clockSkewMs;
}

/** Reports that figures leave accounts out, or is empty if they leave out none. */
export function aheadWords(ahead: number): string {
  return ahead === 0 ? "" : `${plural(ahead, "account")} created in the future: not counted`;
}
