/** Reads typed dates and times, such as `24.11.26 14:00` or `-3d`, and returns their exact form. */
import {
  dateText,
  instantNear,
  instantsOf,
  type LocalTime,
  localTimeAt,
  utcOf,
  zonedText,
} from "./zones.ts";

/** The current time and the zone with which an input is read. */
export interface InputTime {
  /** The current time in epoch milliseconds. */
  readonly now: number;
  /** The zone as an IANA name, for example `Europe/Berlin`. */
  readonly timeZone: string;
}

/**
 * The exact form of a typed text, or its problem. `note` explains a choice between two readings.
 */
export type Exact =
  | { readonly ok: true; readonly text: string; readonly note?: string | undefined }
  | { readonly ok: false; readonly message: string };

const help = "Write a time such as 2026-11-20 14:00, now, today, -3d or -2h.";
/** The pattern of a time of day, alone or after a day, with an optional zone. */
const timed =
  /^(?:(?<day>.*?\S)(?:\s+|(?<=\d)[Tt](?=\d)))?(?<hour>\d{1,2}):(?<minute>\d{2})(?::(?<second>\d{2})(?<fraction>\.\d+)?)?\s*(?<zone>[Zz]|UTC|utc|[+-]\d{2}:?\d{2})?$/;

/** Returns the date (`2026-11-20`) of a typed text. Throws RangeError for an unknown time zone. */
export function exactDate(typed: string, { now, timeZone }: InputTime): Exact {
  const wallNow = () => localTimeAt(now, timeZone);
  if (typed.trim().toLowerCase() === "now") return { ok: true, text: dateText(wallNow()) };
  const day = readDay(typed, wallNow);
  if (day.kind === "unreadable") return { ok: false, message: day.message };
  return { ok: true, text: dateText(day.wall) };
}

/**
 * Returns the datetime (`2026-11-20T14:00:00+01:00`) of a typed text. A day without a time means
 * its midnight. A number of days (`-3d`) has the current time of day. A time without a day is
 * today. A typed zone is unchanged. Throws RangeError for an unknown time zone.
 */
export function exactDatetime(typed: string, { now, timeZone }: InputTime): Exact {
  const text = typed.trim();
  const at = (ms: number): Exact => ({ ok: true, text: zonedText(ms, timeZone) });
  if (text.toLowerCase() === "now") return at(now);
  const span = /^([+-]\d{1,6})\s*(h|min|s)$/i.exec(text);
  if (span !== null) return at(now + Number(span[1]) * spanMs(span[2] ?? ""));
  // Computed only if needed. Most typed times are exact already, and the local time of a zone is
  // slow to compute.
  const wallNow = () => localTimeAt(now, timeZone);
  const time = timed.exec(text)?.groups;
  const day = readDay(time ? (time.day ?? "today") : text, wallNow);
  if (day.kind === "unreadable") {
    return { ok: false, message: /^Write a date/.test(day.message) ? help : day.message };
  }
  if (time === undefined) {
    return day.kind === "day"
      ? onTheClock(day.wall, timeZone)
      : at(instantNear(day.wall, timeZone));
  }
  const wall: LocalTime = {
    ...day.wall,
    hour: Number(time.hour),
    minute: Number(time.minute),
    second: Number(time.second ?? "0"),
  };
  if (wall.hour > 23 || wall.minute > 59 || wall.second > 59) {
    return { ok: false, message: "There is no such time of day." };
  }
  const fraction = time.fraction ?? "";
  if (time.zone !== undefined) return inTypedZone(wall, fraction, time.zone);
  return withFraction(onTheClock(wall, timeZone), fraction);
}

function spanMs(unit: string): number {
  switch (unit.toLowerCase()) {
    case "h":
      return 3_600_000;
    case "min":
      return 60_000;
    default:
      return 1000;
  }
}

function onTheClock(wall: LocalTime, timeZone: string): Exact {
  const [first, second] = instantsOf(wall, timeZone);
  if (first === undefined) {
    const message = "The clocks skip that time on that day: name another time, or a zone.";
    return { ok: false, message };
  }
  const text = zonedText(first, timeZone);
  if (second === undefined) return { ok: true, text };
  const other = zonedText(second, timeZone);
  return { ok: true, text, note: `The clocks show that time twice; the second is ${other}.` };
}

function inTypedZone(wall: LocalTime, fraction: string, typed: string): Exact {
  const zone = /^(z|utc)$/i.test(typed) ? "Z" : typed.replace(/^(...)(\d)/, "$1:$2");
  if (zone !== "Z" && !/^[+-](?:[01]\d|2[0-3]):[0-5]\d$/.test(zone)) {
    return { ok: false, message: "There is no such time zone: write Z or +01:00." };
  }
  const time = [wall.hour, wall.minute, wall.second]
    .map((n) => String(n).padStart(2, "0"))
    .join(":");
  return { ok: true, text: `${dateText(wall)}T${time}${fraction}${zone}` };
}

function withFraction(exact: Exact, fraction: string): Exact {
  if (!exact.ok || fraction === "") return exact;
  return { ...exact, text: exact.text.replace(/(?<=T\d\d:\d\d:\d\d)/, fraction) };
}

/** A typed day on the calendar. */
type LooseDay =
  /** A named day, at midnight. */
  | { readonly kind: "day"; readonly wall: LocalTime }
  /** A day that is a number of days, weeks, months or years away, with the current time of day. */
  | { readonly kind: "shifted"; readonly wall: LocalTime }
  | { readonly kind: "unreadable"; readonly message: string };

/** The first and the last accepted year. Others are probably typing mistakes. */
const firstYear = 1000;
const lastYear = 9999;

const nearDays: ReadonlyMap<string, number> = new Map([
  ["yesterday", -1],
  ["today", 0],
  ["tomorrow", 1],
]);

const noSuchDay = "There is no such day in the calendar.";

/**
 * The maximum number of years that a year of two digits can be ahead. Otherwise it belongs to the
 * previous century.
 */
const yearsAhead = 20;

/**
 * Reads a day from `today`, `yesterday`, `tomorrow`, `-3d`, `+2w`, `-1mo`, `+1y`, `2026-11-20`,
 * `20.11.2026` or `20.11.26`. `now` returns the current local time. A day with slashes is refused,
 * because people write day and month in either order. The message then lists its possible readings.
 */
export function readDay(typed: string, now: () => LocalTime): LooseDay {
  const word = typed.trim().toLowerCase();
  const near = nearDays.get(word);
  if (near !== undefined) return { kind: "day", wall: midnight(shifted(now(), near, "d")) };
  const shift = /^([+-]\d{1,6})\s*(d|w|mo|y)$/.exec(word);
  if (shift !== null) {
    const [, count = "", unit = ""] = shift;
    const wall = shifted(now(), Number(count), unit);
    return inRange(wall) ? { kind: "shifted", wall } : unreadable(noSuchDay);
  }
  if (/^[+-]\d+\s*m$/.test(word)) return unreadable("Write mo for months or min for minutes.");
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(word);
  if (iso !== null) return calendarDay(iso[1], iso[2], iso[3]);
  const dotted = /^(\d{1,2})\.(\d{1,2})\.(\d{4}|\d{2})$/.exec(word);
  if (dotted !== null) return calendarDay(fullYear(dotted[3], now), dotted[2], dotted[1]);
  const slashed = /^(\d{4}(?=\/.+\/))?\/?(\d{1,2})\/(\d{1,2})(?:\/(\d{4}|\d{2}))?$/.exec(word);
  if (slashed !== null) {
    const [, first, one, other, last] = slashed;
    const year = fullYear(first ?? last, now);
    return unreadable(slashWords(calendarDay(year, other, one), calendarDay(year, one, other)));
  }
  return unreadable("Write a date such as 2026-11-20, today, yesterday, -3d or +2w.");
}

function unreadable(message: string): LooseDay {
  return { kind: "unreadable", message };
}

/** Returns a year of two digits with its century. */
function fullYear(year = "", now: () => LocalTime): string {
  if (year.length !== 2) return year;
  return String(Number(year) + (2000 + Number(year) > now().year + yearsAhead ? 1900 : 2000));
}

/** Names the days that a date with slashes can mean. */
function slashWords(...days: readonly LooseDay[]): string {
  const real = days.flatMap((day) => (day.kind === "day" ? [dateText(day.wall)] : []));
  return real.length === 0 ? noSuchDay : `Write ${[...new Set(real)].join(" or ")}.`;
}

function calendarDay(year = "", month = "", day = ""): LooseDay {
  const wall = midnight({
    year: Number(year),
    month: Number(month),
    day: Number(day),
    hour: 0,
    minute: 0,
    second: 0,
  });
  const real = wallOfUtc(utcOf(wall));
  const same = real.month === wall.month && real.day === wall.day;
  return same && inRange(wall) ? { kind: "day", wall } : unreadable(noSuchDay);
}

function inRange({ year }: LocalTime): boolean {
  return year >= firstYear && year <= lastYear;
}

function midnight(wall: LocalTime): LocalTime {
  return { ...wall, hour: 0, minute: 0, second: 0 };
}

function shifted(now: LocalTime, count: number, unit: string): LocalTime {
  switch (unit) {
    case "d":
      return wallOfUtc(utcOf({ ...now, day: now.day + count }));
    case "w":
      return wallOfUtc(utcOf({ ...now, day: now.day + 7 * count }));
    case "mo":
      return monthsAway(now, count);
    default:
      return monthsAway(now, 12 * count);
  }
}

/** Returns the same day of another month, or its last day if the month is shorter. */
function monthsAway(now: LocalTime, count: number): LocalTime {
  const month = now.month + count;
  const last = wallOfUtc(utcOf({ ...now, month: month + 1, day: 0 })).day;
  return wallOfUtc(utcOf({ ...now, month, day: Math.min(now.day, last) }));
}

function wallOfUtc(ms: number): LocalTime {
  const date = new Date(ms);
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
    second: date.getUTCSeconds(),
  };
}
