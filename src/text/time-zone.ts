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
  if (hasOffset()) return null;
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

/** Whether Node has read it as a rule such as JST-9, which has no name. */
function hasOffset(): boolean {
  const year = new Date().getFullYear();
  return [0, 6].some((month) => new Date(year, month, 1).getTimezoneOffset() !== 0);
}
