/** The variable `TZ`, put right once at the start, before anything reads or writes a local time. */
import { existsSync } from "node:fs";
import { safe } from "./sanitise.ts";

/** Where most systems have a file for every zone: looking there costs less than loading the zones. */
const zoneFiles = "/usr/share/zoneinfo/";

/**
 * Sets a `TZ` that names no known zone to UTC, and one in another spelling (`:Europe/Berlin`, a path
 * of a zone file) to the plain name. Returns a notice for the user, or null. Without `TZ` the
 * machine's zone counts.
 */
export function settleTimeZone(env: Record<string, string | undefined>): string | null {
  const { TZ: typed } = env;
  if (typed === undefined) return null;
  const name = typed.replace(/^:/, "").replace(/^.*\/zoneinfo\//, "");
  if (isKnown(name)) {
    if (name !== typed) env.TZ = name;
    return null;
  }
  if (isFollowed(name)) return null;
  env.TZ = "UTC";
  return typed === ""
    ? "Times are in UTC: TZ is empty. Unset it for the zone of this machine."
    : `Times are in UTC: TZ=${safe(typed)} names no known time zone.`;
}

function isKnown(name: string): boolean {
  if (name === "") return false;
  if (/^[A-Za-z0-9_+-]+(?:\/[A-Za-z0-9_+-]+)*$/.test(name) && existsSync(zoneFiles + name))
    return true;
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/**
 * Whether Node follows it as a rule such as JST-9. One with summer time it only guesses from the letters,
 * and what it cannot read, it replaces by the machine's zone.
 */
function isFollowed(rule: string): boolean {
  const [whole, west, hours, minutes = "0"] =
    /^(?:[A-Za-z]{3,}|<[A-Za-z0-9+-]{3,}>)([+-]?)(\d{1,2})(?::(\d{2}))?$/.exec(rule) ?? [];
  if (whole === undefined) return false;
  const minutesWest = (Number(hours) * 60 + Number(minutes)) * (west === "-" ? -1 : 1);
  const year = new Date().getFullYear();
  return [0, 6].every((month) => new Date(year, month, 1).getTimezoneOffset() === minutesWest);
}
