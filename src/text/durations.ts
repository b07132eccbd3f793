/** Parses and formats durations. */

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

/** Writes a duration as a user types it, which {@link parseDuration} reads: `40m`, `1h30m`, `3d`. */
export function typedDuration(ms: number): string {
  let rest = ms;
  const parts = Object.entries(UNIT_MS).map(([unit, size]) => {
    const amount = Math.floor(rest / size);
    rest -= amount * size;
    return amount === 0 ? "" : `${amount}${unit}`;
  });
  return parts.join("") || "0s";
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

export function both(greater: string, amount: number, lesser: string): string {
  return amount === 0 ? greater : `${greater} ${lesser}`;
}

/** Formats a duration in whole seconds, for screens that change once a second. */
export function wholeSeconds(ms: number): string {
  return ms < 1_000 ? "under 1 s" : formatDuration(Math.floor(ms / 1_000) * 1_000);
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
