/** Corrects the variable `TZ` once at the start, before any local time is read or written. */
import { statSync } from "node:fs";
import { safe } from "./sanitise.ts";

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
