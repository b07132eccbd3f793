/**
 * Converts between instants and local times in a named time zone, and corrects the variable `TZ`.
 * Instants are epoch milliseconds.
 */
import { statSync } from "node:fs";
import { safe } from "./sanitize.ts";

/** The local time in a zone. The month counts from 1. */
export interface LocalTime {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

/** The milliseconds before and after a local time in which a clock change near it is found. */
const day = 86_400_000;

/** Returns the local time of a zone at an instant. Throws RangeError for an unknown zone. */
export function localTimeAt(ms: number, timeZone: string): LocalTime {
  const parts = new Intl.DateTimeFormat("en-GB", {
    timeZone,
    calendar: "iso8601",
    numberingSystem: "latn",
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  }).formatToParts(ms);
  const part = (type: Intl.DateTimeFormatPartTypes) =>
    Number(parts.find((one) => one.type === type)?.value);
  return {
    year: part("year"),
    month: part("month"),
    day: part("day"),
    hour: part("hour"),
    minute: part("minute"),
    second: part("second"),
  };
}

/**
 * Returns the instant at which the local time in UTC equals the given time. Days and months beyond
 * their range overflow.
 */
export function utcOf(wall: LocalTime): number {
  const date = new Date(0);
  date.setUTCFullYear(wall.year, wall.month - 1, wall.day);
  date.setUTCHours(wall.hour, wall.minute, wall.second);
  return date.getTime();
}

/** Returns the offset of a zone from UTC at an instant, in milliseconds. */
function offsetAt(ms: number, timeZone: string): number {
  return utcOf(localTimeAt(ms, timeZone)) - Math.floor(ms / 1000) * 1000;
}

/**
 * Returns the instants at which a zone has the given local time. Mostly there is one. There is none
 * if the clocks skip it, and two, the earlier first, if the clocks repeat it.
 */
export function instantsOf(wall: LocalTime, timeZone: string): readonly number[] {
  const utc = utcOf(wall);
  const found = [utc - day, utc + day]
    .map((near) => utc - offsetAt(near, timeZone))
    .filter((ms) => utcOf(localTimeAt(ms, timeZone)) === utc);
  return [...new Set(found)].sort((a, b) => a - b);
}

/**
 * Returns the earliest of {@link instantsOf}. A skipped time is moved forward by the length of the
 * gap.
 */
export function instantNear(wall: LocalTime, timeZone: string): number {
  const [first] = instantsOf(wall, timeZone);
  const utc = utcOf(wall);
  return first ?? utc - offsetAt(utc - day, timeZone);
}

/** Formats an instant as `2026-11-20T14:00:00+01:00`, with `Z` if the zone is at UTC. */
export function zonedText(ms: number, timeZone: string): string {
  const offset = offsetAt(ms, timeZone);
  // Before standard time, zone offsets had seconds, which ISO 8601 cannot express.
  const whole = offset % 60_000 === 0 ? offset : 0;
  const local = new Date(ms + whole).toISOString().slice(0, 19);
  return `${local}${offsetText(whole)}`;
}

function offsetText(offset: number): string {
  if (offset === 0) return "Z";
  const minutes = Math.abs(offset) / 60_000;
  return `${offset < 0 ? "-" : "+"}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

/** Formats a date: `2026-11-20`. */
export function dateText({ year, month, day: date }: LocalTime): string {
  return `${String(year).padStart(4, "0")}-${two(month)}-${two(date)}`;
}

function two(n: number): string {
  return String(n).padStart(2, "0");
}

/**
 * The folder in which most systems have a file for every zone. A check there is faster than a check
 * with `Intl`.
 */
const zoneFiles = "/usr/share/zoneinfo/";
/**
 * The pattern of zone names in Node's spelling. Other files in the folder are not zones, or not
 * zones of Node.
 */
const plainName =
  /^(?:Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Europe|Indian|Pacific)(?:\/[A-Z][a-z][A-Za-z_-]*)+$/;

/**
 * Changes a `TZ` without a known zone to UTC, and a `TZ` in another spelling (`:Europe/Berlin`,
 * `europe/berlin`, the path of a zone file) to the plain name. Node silently reads other spellings
 * as UTC. Returns a notice for the user, or null. Without `TZ` the zone of the machine applies.
 */
export function settleTimeZone(env: Record<string, string | undefined>): string | null {
  const { TZ: typed } = env;
  if (typed === undefined) return null;
  const name = typed
    .replace(/^:/, "")
    .replace(/^.*\/zoneinfo\//, "")
    .replace(/^(?:posix|right)\//, "");
  const known = knownName(name);
  if (known !== null) {
    if (known !== typed) env.TZ = known;
    return null;
  }
  if (isFollowed(name)) return null;
  env.TZ = "UTC";
  return typed === ""
    ? "Times are in UTC: TZ is empty. Unset it for the zone of this machine."
    : `Times are in UTC: TZ=${safe(typed)} names no known time zone.`;
}

/** Returns Node's name of a zone, or null for an unknown zone. */
function knownName(name: string): string | null {
  if (name === "UTC" || (plainName.test(name) && isFile(zoneFiles + name))) return name;
  try {
    const { timeZone } = new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions();
    // An offset is a valid zone for `Intl`, but not in `TZ`.
    return /^[A-Z]/.test(timeZone) ? timeZone : null;
  } catch {
    return null;
  }
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

/**
 * Returns true if Node applies the text as a rule such as JST-9. For a rule with summer time it
 * guesses a zone from the letters. An unreadable rule becomes the machine's zone.
 */
function isFollowed(rule: string): boolean {
  const [whole, west, hours, minutes = "0"] =
    /^(?:[A-Za-z]{3,}|<[A-Za-z0-9+-]{3,}>)([+-]?)(\d{1,2})(?::(\d{2}))?$/.exec(rule) ?? [];
  if (whole === undefined) return false;
  const minutesWest = (Number(hours) * 60 + Number(minutes)) * (west === "-" ? -1 : 1);
  const year = new Date().getFullYear();
  return [0, 6].every((month) => new Date(year, month, 1).getTimezoneOffset() === minutesWest);
}
