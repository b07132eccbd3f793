/** Parses and formats durations and ages. */

export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

const UNIT_MS: Readonly<Record<string, number>> = {
  d: dayMs,
  h: hourMs,
  m: minuteMs,
  s: 1000,
  ms: 1,
};

const DURATION =
  /^(?:(?<d>\d+(?:\.\d+)?)d)?\s*(?:(?<h>\d+(?:\.\d+)?)h)?\s*(?:(?<m>\d+(?:\.\d+)?)m(?!s))?\s*(?:(?<s>\d+(?:\.\d+)?)s)?\s*(?:(?<ms>\d+(?:\.\d+)?)ms)?$/;

/**
 * Returns the milliseconds of a typed duration (`500ms`, `5s`, `30m`, `1h`, `2d`, `1m30s`, `1.5h`,
 * or a number of seconds), or null for any other text. The result can be longer than a single timer
 * allows (about 24 days).
 */
export function parseDuration(text: string): number | null {
  const typed = text.trim();
  if (typed === "") return null;
  let total = 0;
  if (/^\d+(?:\.\d+)?$/.test(typed)) {
    total = Number(typed) * 1000;
  } else {
    const groups = DURATION.exec(typed)?.groups;
    if (groups === undefined) return null;
    for (const [unit, size] of Object.entries(UNIT_MS)) total += Number(groups[unit] ?? 0) * size;
  }
  const rounded = Math.round(total);
  return Number.isSafeInteger(rounded) ? rounded : null;
}

/**
 * Formats a duration in its two greatest units, rounded down: `850 ms`, `42 s`, `5 min 3
 * s`, `2 h 04 min`, `3 d 2 h`. A second unit of 0 is left out.
 */
export function formatDuration(ms: number): string {
  if (!Number.isFinite(ms)) return "unknown time";
  if (ms < 0) return `-${formatDuration(-ms)}`;
  const whole = Math.floor(ms);
  if (whole < 1000) return `${whole} ms`;
  const seconds = Math.floor(whole / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return both(`${minutes} min`, seconds % 60, `${seconds % 60} s`);
  const hours = Math.floor(minutes / 60);
  const rest = String(minutes % 60).padStart(2, "0");
  if (hours < 24) return both(`${hours} h`, minutes % 60, `${rest} min`);
  return both(`${Math.floor(hours / 24)} d`, hours % 24, `${hours % 24} h`);
}

/** Joins two units. A second unit of 0 is left out. */
function both(greater: string, amount: number, lesser: string): string {
  return amount === 0 ? greater : `${greater} ${lesser}`;
}

/** Formats a duration in whole seconds, for screens that change once a second. */
export function wholeSeconds(ms: number): string {
  return ms < 1_000 ? "under 1 s" : formatDuration(Math.floor(ms / 1_000) * 1_000);
}

/** The maximum plausible age in milliseconds. A greater age is the result of a wrong time. */
const maxAgeMs = 200 * 365.25 * dayMs;

/** Returns true for a plausible age, and false for NaN. */
function isUsable(ms: number): boolean {
  return Math.abs(ms) <= maxAgeMs;
}

const unusableAge = "not known";

/** The minimum number of days of an age in months and years. */
const minLongDays = 90;
const daysPerMonth = 365.25 / 12;

/** Formats an age in days as `5 mo` or `2 y 6 mo`, rounded down, or returns null below 90 days. */
export function longAge(days: number): string | null {
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
 * Formats the time of a wait that begins now. A wait of half a second or more is rounded up to
 * whole seconds, so that the text is a whole number although a part of the wait is already over.
 */
export function waitText(ms: number): string {
  return formatDuration(ms < 500 ? Math.max(0, ms) : Math.ceil(ms / 1_000) * 1_000);
}

/**
 * Replaces every duration in a line by `…`, so that lines that differ only in an age or a countdown
 * are equal.
 */
export function maskDurations(line: string): string {
  return line.replace(
    /just seen|a few seconds(?: ago)?|(?:under |[<≥] )?\d+ (?:ms|s|min|h|d|mo|y)\b(?: \d+ (?:s|min|h|mo)\b)?(?: ago)?|just now/g,
    "…",
  );
}
