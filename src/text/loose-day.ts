/** Reads typed days, such as `today`, `-3d` or `20.11.26`. */
import { dateText, type LocalTime, utcOf } from "./zones.ts";

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
