/**
 * Formats ages in two ways: in coarse steps of two units for a sentence, and in one unit for a cell
 * of a list. Both can be a time that has passed, or a minimum.
 */
import { both, dayMs, formatDuration, minuteMs } from "./durations.ts";

/** The maximum plausible age in milliseconds. A greater age is the result of a wrong time. */
const maxAgeMs = 200 * 365.25 * dayMs;

function isUsable(ms: number): boolean {
  return Math.abs(ms) <= maxAgeMs;
}

const unusableAge = "not known";

const minLongDays = 90;
const daysPerMonth = 365.25 / 12;

/** Formats an age in days as `5 mo` or `2 y 6 mo`, rounded down, or returns null below 90 days. */
function longAge(days: number): string | null {
  if (days < minLongDays) return null;
  const months = Math.floor(days / daysPerMonth);
  return months < 12
    ? `${months} mo`
    : both(`${Math.floor(months / 12)} y`, months % 12, `${months % 12} mo`);
}

/**
 * Formats an age in coarse steps, so that an idle screen seldom changes: `a few seconds`, `20 s`,
 * `5 min`, `2 h 10 min`, `9 d 2 h`, `2 y 6 mo`, or `a time not known` for an unusable time.
 */
export function formatAge(ms: number): string {
  if (!isUsable(ms)) return `a time ${unusableAge}`;
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 10) return "a few seconds";
  if (seconds < 60) return `${seconds - (seconds % 10)} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min`;
  return longAge(seconds / 86_400) ?? formatDuration(seconds * 1000);
}

/** Formats the time since an instant for a sentence: `just now`, `20 s ago`, `2 h 10 min ago`. */
export function agoWords(ms: number, now: number): string {
  return now - ms < 10_000 ? "just now" : `${formatAge(now - ms)} ago`;
}

export function checkedWords(ms: number, now: number): string {
  return `checked ${agoWords(ms, now)}`;
}

/** Formats a minimum age for a sentence: `≥ 42 s`, `≥ 12 min`, `≥ 2 h 10 min`. */
export function atLeastWords(ms: number): string {
  return ms < minuteMs ? `≥ ${Math.max(1, Math.floor(ms / 1_000))} s` : `≥ ${formatAge(ms)}`;
}

/**
 * Formats an age in a list in one unit, rounded down: `< 1 min`, `12 min`, `2 h`, `9 d`, `5 mo`, `2
 * y`. The text changes at most once a minute. An implausible age is `not known`.
 */
export function coarseAge(ms: number): string {
  if (!isUsable(ms)) return unusableAge;
  if (ms < 60_000) return "< 1 min";
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${hours} h`;
  const days = Math.floor(hours / 24);
  if (days < minLongDays) return `${days} d`;
  const months = Math.floor(days / daysPerMonth);
  return months < 12 ? `${months} mo` : `${Math.floor(months / 12)} y`;
}

/**
 * Formats the minimum age of an account that was first observed `ms` milliseconds ago: `just seen`,
 * `≥ 12 min`, `≥ 9 d`.
 */
export function atLeastAge(ms: number): string {
  if (!isUsable(ms)) return unusableAge;
  return ms < 60_000 ? "just seen" : `≥ ${coarseAge(ms)}`;
}

/**
 * Formats the minimum age that a list shows of an account that was first observed at `since`. The
 * age ends with the list: nothing is known of the time after it. Both are epoch milliseconds.
 */
export function listedAge(since: number, listedAt: number): string {
  return atLeastAge(Math.max(0, listedAt - since));
}

/**
 * Formats the time since an instant in a list: `within 1 min`, `12 min ago`, `2 h ago`, `5 mo ago`.
 */
export function cellAgo(ms: number, now: number): string {
  return now - ms < 60_000 ? "within 1 min" : `${coarseAge(now - ms)} ago`;
}
