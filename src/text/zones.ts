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

/** A change of the clocks is searched for in this time before and after a local time. */
const searchMs = 86_400_000;

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
    Number(parts.find((candidate) => candidate.type === type)?.value);
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
export function utcOf(localTime: LocalTime): number {
  const date = new Date(0);
  date.setUTCFullYear(localTime.year, localTime.month - 1, localTime.day);
  date.setUTCHours(localTime.hour, localTime.minute, localTime.second);
  return date.getTime();
}

/** Returns the offset of a zone from UTC at an instant, in milliseconds. */
function offsetAt(ms: number, timeZone: string): number {
  return utcOf(localTimeAt(ms, timeZone)) - Math.floor(ms / 1000) * 1000;
}

/**
 * Returns the instants at which a zone has the given local time. Usually there is one. There is
 * none if the clocks skip that time, and there are two, the earlier first, if the clocks repeat it.
 */
export function instantsOf(localTime: LocalTime, timeZone: string): readonly number[] {
  const utc = utcOf(localTime);
  const instants = [utc - searchMs, utc + searchMs]
    .map((nearby) => utc - offsetAt(nearby, timeZone))
    .filter((ms) => utcOf(localTimeAt(ms, timeZone)) === utc);
  return [...new Set(instants)].sort((a, b) => a - b);
}

/**
 * Returns the earliest of {@link instantsOf}. A skipped time is moved forward by the length of the
 * gap.
 */
export function instantNear(localTime: LocalTime, timeZone: string): number {
  const [first] = instantsOf(localTime, timeZone);
  const utc = utcOf(localTime);
  return first ?? utc - offsetAt(utc - searchMs, timeZone);
}

/** Formats an instant as `2026-11-20T14:00:00+01:00`, with `Z` if the zone is at UTC. */
export function zonedText(ms: number, timeZone: string): string {
  const offset = offsetAt(ms, timeZone);
  // Offsets before about 1900 can have seconds, which ISO 8601 cannot express. UTC is used then.
  const usedOffset = offset % 60_000 === 0 ? offset : 0;
  const local = new Date(ms + usedOffset).toISOString().slice(0, 19);
  return `${local}${offsetText(usedOffset)}`;
}

function offsetText(offset: number): string {
  if (offset === 0) return "Z";
  const minutes = Math.abs(offset) / 60_000;
  return `${offset < 0 ? "-" : "+"}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

export function dateText({ year, month, day: date }: LocalTime): string {
  return `${String(year).padStart(4, "0")}-${two(month)}-${two(date)}`;
}

function two(n: number): string {
  return String(n).padStart(2, "0");
}

/** The folder with a file for each zone on most systems. A check there is faster than `Intl`. */
const zoneFolder = "/usr/share/zoneinfo/";

/** The pattern of the zone names that Node accepts. The folder also has files with other names. */
const zoneNamePattern =
  /^(?:Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Europe|Indian|Pacific)(?:\/[A-Z][a-z][A-Za-z_-]*)+$/;

/**
 * Corrects the variable `TZ`, because Node silently uses UTC for spellings that it does not know. A
 * zone in another spelling (`:Europe/Berlin`, `europe/berlin`, the path of a zone file) gets the
 * name that Node knows, and an unknown zone becomes UTC. Returns a notice for the user, or null.
 */
export function correctTimeZone(env: Record<string, string | undefined>): string | null {
  const { TZ: given } = env;
  if (given === undefined) return null;
  const name = given
    .replace(/^:/, "")
    .replace(/^.*\/zoneinfo\//, "")
    .replace(/^(?:posix|right)\//, "");
  const known = knownName(name);
  if (known !== null) {
    if (known !== given) env.TZ = known;
    return null;
  }
  if (isAppliedRule(name)) return null;
  env.TZ = "UTC";
  return given === ""
    ? "Times are in UTC: TZ is empty. Unset it for the zone of this machine."
    : `Times are in UTC: TZ=${safe(given)} names no known time zone.`;
}

function knownName(name: string): string | null {
  if (name === "UTC" || (zoneNamePattern.test(name) && isFile(zoneFolder + name))) return name;
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
 * Returns true if the text is a rule such as JST-9 that Node applies. Node replaces a rule with
 * summer time by a guessed zone, and an unreadable rule by the zone of the machine.
 */
function isAppliedRule(rule: string): boolean {
  const [matched, sign, hours, minutes = "0"] =
    /^(?:[A-Za-z]{3,}|<[A-Za-z0-9+-]{3,}>)([+-]?)(\d{1,2})(?::(\d{2}))?$/.exec(rule) ?? [];
  if (matched === undefined) return false;
  const minutesWest = (Number(hours) * 60 + Number(minutes)) * (sign === "-" ? -1 : 1);
  const year = new Date().getFullYear();
  return [0, 6].every((month) => new Date(year, month, 1).getTimezoneOffset() === minutesWest);
}
