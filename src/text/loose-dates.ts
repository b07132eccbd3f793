/** Parses typed dates and times, such as `24.11.26 14:00` or `-3d`, to their exact form. */
import {
  dateText,
  instantNear,
  instantsOf,
  type LocalTime,
  localTimeAt,
  utcOf,
  zonedText,
} from "./zones.ts";

export interface InputTime {
  /** The current time in epoch milliseconds. */
  readonly now: number;
  /** The zone as an IANA name, for example `Europe/Berlin`. */
  readonly timeZone: string;
}

/**
 * The exact form of a typed text, or the problem of the text. `note` names the other meaning of an
 * ambiguous text.
 */
export type Exact =
  | { readonly ok: true; readonly text: string; readonly note?: string | undefined }
  | { readonly ok: false; readonly message: string };

const help = "Write a time such as 2026-11-20 14:00, now, today, -3d or -2h.";

const timePattern =
  /^(?:(?<day>.*?\S)(?:\s+|(?<=\d)[Tt](?=\d)))?(?<hour>\d{1,2}):(?<minute>\d{2})(?::(?<second>\d{2})(?<fraction>\.\d+)?)?\s*(?<zone>[Zz]|UTC|utc|[+-]\d{2}:?\d{2})?$/;

/** Returns the date (`2026-11-20`) of a typed text. Throws RangeError for an unknown time zone. */
export function exactDate(typed: string, { now, timeZone }: InputTime): Exact {
  const localNow = () => localTimeAt(now, timeZone);
  if (typed.trim().toLowerCase() === "now") return { ok: true, text: dateText(localNow()) };
  const day = readDay(typed, localNow);
  if (day.kind === "unreadable") return { ok: false, message: day.message };
  return { ok: true, text: dateText(day.local) };
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
  const offset = /^([+-]\d{1,6})\s*(h|min|s)$/i.exec(text);
  if (offset !== null) return at(now + Number(offset[1]) * unitMs(offset[2] ?? ""));
  // A function, because the local time of a zone is slow to compute and most texts do not need it.
  const localNow = () => localTimeAt(now, timeZone);
  const time = timePattern.exec(text)?.groups;
  const day = readDay(time ? (time.day ?? "today") : text, localNow);
  if (day.kind === "unreadable") {
    return { ok: false, message: /^Write a date/.test(day.message) ? help : day.message };
  }
  if (time === undefined) {
    return day.kind === "day"
      ? fromLocalTime(day.local, timeZone)
      : at(instantNear(day.local, timeZone));
  }
  const local: LocalTime = {
    ...day.local,
    hour: Number(time.hour),
    minute: Number(time.minute),
    second: Number(time.second ?? "0"),
  };
  if (local.hour > 23 || local.minute > 59 || local.second > 59) {
    return { ok: false, message: "There is no such time of day." };
  }
  const fraction = time.fraction ?? "";
  if (time.zone !== undefined) return inTypedZone(local, fraction, time.zone);
  return withFraction(fromLocalTime(local, timeZone), fraction);
}

function unitMs(unit: string): number {
  switch (unit.toLowerCase()) {
    case "h":
      return 3_600_000;
    case "min":
      return 60_000;
    default:
      return 1000;
  }
}

/** Returns the exact form of a local time, which the clocks can skip or repeat. */
function fromLocalTime(local: LocalTime, timeZone: string): Exact {
  const [first, second] = instantsOf(local, timeZone);
  if (first === undefined) {
    const message = "The clocks skip that time on that day: name another time, or a zone.";
    return { ok: false, message };
  }
  const text = zonedText(first, timeZone);
  if (second === undefined) return { ok: true, text };
  const other = zonedText(second, timeZone);
  return { ok: true, text, note: `The clocks show that time twice; the second is ${other}.` };
}

/** Returns the exact form of a time in a typed zone such as `Z` or `+0100`. */
function inTypedZone(local: LocalTime, fraction: string, typed: string): Exact {
  const zone = /^(z|utc)$/i.test(typed) ? "Z" : typed.replace(/^(...)(\d)/, "$1:$2");
  if (zone !== "Z" && !/^[+-](?:[01]\d|2[0-3]):[0-5]\d$/.test(zone)) {
    return { ok: false, message: "There is no such time zone: write Z or +01:00." };
  }
  const time = [local.hour, local.minute, local.second]
    .map((n) => String(n).padStart(2, "0"))
    .join(":");
  return { ok: true, text: `${dateText(local)}T${time}${fraction}${zone}` };
}

function withFraction(exact: Exact, fraction: string): Exact {
  if (!exact.ok || fraction === "") return exact;
  return { ...exact, text: exact.text.replace(/(?<=T\d\d:\d\d:\d\d)/, fraction) };
}

type LooseDay =
  | { readonly kind: "day"; readonly local: LocalTime }
  /** A day that is a number of days, weeks, months or years away, with the current time of day. */
  | { readonly kind: "shifted"; readonly local: LocalTime }
  | { readonly kind: "unreadable"; readonly message: string };

const firstYear = 1000;
const lastYear = 9999;

const nearDays: ReadonlyMap<string, number> = new Map([
  ["yesterday", -1],
  ["today", 0],
  ["tomorrow", 1],
]);

const noSuchDay = "There is no such day in the calendar.";

/** A year of two digits is at most this number of years in the future. */
const maxYearsAhead = 20;

/**
 * Parses a day: `today`, `yesterday`, `tomorrow`, `-3d`, `+2w`, `-1mo`, `+1y`, `2026-11-20`,
 * `20.11.2026` or `20.11.26`. `now` returns the current local time. A day with slashes is rejected,
 * because people write day and month in either order. The message lists the possible days.
 */
export function readDay(typed: string, now: () => LocalTime): LooseDay {
  const word = typed.trim().toLowerCase();
  const near = nearDays.get(word);
  if (near !== undefined) return { kind: "day", local: midnight(shifted(now(), near, "d")) };
  const shift = /^([+-]\d{1,6})\s*(d|w|mo|y)$/.exec(word);
  if (shift !== null) {
    const [, count = "", unit = ""] = shift;
    const local = shifted(now(), Number(count), unit);
    return inRange(local) ? { kind: "shifted", local } : unreadable(noSuchDay);
  }
  if (/^[+-]\d+\s*m$/.test(word)) return unreadable("Write mo for months or min for minutes.");
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(word);
  if (iso !== null) return calendarDay(iso[1], iso[2], iso[3]);
  const dotted = /^(\d{1,2})\.(\d{1,2})\.(\d{4}|\d{2})$/.exec(word);
  if (dotted !== null) return calendarDay(fullYear(dotted[3], now), dotted[2], dotted[1]);
  const slashed = /^(\d{4}(?=\/.+\/))?\/?(\d{1,2})\/(\d{1,2})(?:\/(\d{4}|\d{2}))?$/.exec(word);
  if (slashed !== null) {
    const [, leadingYear, first, second, trailingYear] = slashed;
    const year = fullYear(leadingYear ?? trailingYear, now);
    return unreadable(
      slashWords(calendarDay(year, second, first), calendarDay(year, first, second)),
    );
  }
  return unreadable("Write a date such as 2026-11-20, today, yesterday, -3d or +2w.");
}

function unreadable(message: string): LooseDay {
  return { kind: "unreadable", message };
}

function fullYear(year = "", now: () => LocalTime): string {
  if (year.length !== 2) return year;
  return String(Number(year) + (2000 + Number(year) > now().year + maxYearsAhead ? 1900 : 2000));
}

function slashWords(...days: readonly LooseDay[]): string {
  const texts = days.flatMap((day) => (day.kind === "day" ? [dateText(day.local)] : []));
  return texts.length === 0 ? noSuchDay : `Write ${[...new Set(texts)].join(" or ")}.`;
}

function calendarDay(year = "", month = "", day = ""): LooseDay {
  const local = midnight({
    year: Number(year),
    month: Number(month),
    day: Number(day),
    hour: 0,
    minute: 0,
    second: 0,
  });
  const normalized = utcTimeAt(utcOf(local));
  const exists = normalized.month === local.month && normalized.day === local.day;
  return exists && inRange(local) ? { kind: "day", local } : unreadable(noSuchDay);
}

function inRange({ year }: LocalTime): boolean {
  return year >= firstYear && year <= lastYear;
}

function midnight(local: LocalTime): LocalTime {
  return { ...local, hour: 0, minute: 0, second: 0 };
}

function shifted(now: LocalTime, count: number, unit: string): LocalTime {
  switch (unit) {
    case "d":
      return utcTimeAt(utcOf({ ...now, day: now.day + count }));
    case "w":
      return utcTimeAt(utcOf({ ...now, day: now.day + 7 * count }));
    case "mo":
      return monthsAway(now, count);
    default:
      return monthsAway(now, 12 * count);
  }
}

/** Returns the same day of another month, or its last day if the month is shorter. */
function monthsAway(now: LocalTime, count: number): LocalTime {
  const month = now.month + count;
  const last = utcTimeAt(utcOf({ ...now, month: month + 1, day: 0 })).day;
  return utcTimeAt(utcOf({ ...now, month, day: Math.min(now.day, last) }));
}

function utcTimeAt(ms: number): LocalTime {
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
