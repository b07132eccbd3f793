/** Parses the typed start or end of a span of time, such as `yesterday` or `24h`. */
import { parseDuration } from "./durations.ts";
import { exactDatetime, type InputTime, readDay } from "./loose-dates.ts";
import { instantNear, type LocalTime, localTimeAt } from "./zones.ts";

/** The start or the end of a span of time in epoch milliseconds, or the problem of its text. */
export type TimeBound =
  | { readonly ok: true; readonly ms: number }
  | { readonly ok: false; readonly message: string };

const help =
  "Write a time such as yesterday, 2026-11-20, '2026-11-20 14:00', 24h (24 hours ago) or -3d.";

/**
 * Returns the first instant of a span that begins with the typed text: the midnight of a day, the
 * instant `24h` ago, or the result of {@link exactDatetime}. Throws RangeError for an unknown time
 * zone.
 */
export function spanStart(typed: string, at: InputTime): TimeBound {
  return parseBound(typed, at, 0);
}

/**
 * Returns the first instant after a span that ends with the typed text. A span that ends with a day
 * includes the whole day.
 */
export function spanEnd(typed: string, at: InputTime): TimeBound {
  return parseBound(typed, at, 1);
}

function parseBound(typed: string, at: InputTime, addedDays: 0 | 1): TimeBound {
  const { now, timeZone } = at;
  const agoMs = /[a-z]$/i.test(typed) && /^\d/.test(typed) ? parseDuration(typed) : null;
  if (agoMs !== null) return { ok: true, ms: now - agoMs };
  const day = readDay(typed, () => localTimeAt(now, timeZone));
  if (day.kind === "day") return { ok: true, ms: midnight(day.local, addedDays, timeZone) };
  const exact = exactDatetime(typed, at);
  if (exact.ok) return { ok: true, ms: Date.parse(exact.text) };
  return { ok: false, message: exact.message.startsWith("Write a time") ? help : exact.message };
}

/**
 * Returns the midnight of the day that is `addedDays` after `local`. If the clocks skip that
 * midnight, returns the first instant after the gap.
 */
function midnight(local: LocalTime, addedDays: number, timeZone: string): number {
  return instantNear({ ...local, day: local.day + addedDays }, timeZone);
}
