/** Formats instants, days and ages in the displayed time zone. */

const UNREADABLE = "unreadable time";

function two(n: number): string {
  return String(n).padStart(2, "0");
}

function formatYear(n: number): string {
  return n < 0 ? `-${String(-n).padStart(4, "0")}` : String(n).padStart(4, "0");
}

/**
 * Formats an instant (epoch milliseconds) as `2026-11-20 14:00:05`, in the displayed zone unless
 * `utc` is set. Texts in the same zone sort by time. `seconds: false` leaves out the seconds.
 */
export function formatInstant(
  ms: number,
  options: { readonly utc?: boolean | undefined; readonly seconds?: boolean | undefined } = {},
): string {
  const at = new Date(ms);
  if (Number.isNaN(at.getTime())) return UNREADABLE;
  const utc = options.utc ?? shownZone.get() === "utc";
  const parts = utc
    ? [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate(), at.getUTCHours(), at.getUTCMinutes()]
    : [at.getFullYear(), at.getMonth(), at.getDate(), at.getHours(), at.getMinutes()];
  const [y = 0, month = 0, day = 0, hours = 0, minutes = 0] = parts;
  const text = `${formatYear(y)}-${two(month + 1)}-${two(day)} ${two(hours)}:${two(minutes)}`;
  if (options.seconds === false) return text;
  return `${text}:${two(utc ? at.getUTCSeconds() : at.getSeconds())}`;
}

/** Returns the start of an instant's day in the local zone, in epoch milliseconds. */
export function startOfDay(ms: number): number {
  return new Date(ms).setHours(0, 0, 0, 0);
}

/** Returns the date of the day before an instant, in the displayed zone: `2026-11-19`. */
export function dayBefore(ms: number): string {
  // A local day can have 23 or 25 hours, so the day before is computed in UTC.
  const midnight = Date.parse(`${formatInstant(ms).slice(0, 10)}T00:00:00Z`);
  return formatInstant(midnight - 12 * 3_600_000, { utc: true }).slice(0, 10);
}

/**
 * Formats an instant as its time to the second if it is on the day of `now`, or as its date and
 * time to the minute.
 */
export function shortInstant(ms: number, now: number): string {
  const at = formatInstant(ms);
  return at.slice(0, 10) === formatInstant(now).slice(0, 10) ? at.slice(11) : at.slice(0, 16);
}

const months = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");

/** Formats the day of an instant as `27 Oct`, with its year if that is not the year of `now`. */
export function shortDay(ms: number, now: number): string {
  const [year = "", month = "", day = ""] = formatInstant(ms).slice(0, 10).split("-");
  const name = months[Number(month) - 1];
  // A year before 0 has a sign, and an unreadable time has no month.
  if (name === undefined) return formatInstant(ms, { seconds: false });
  const date = `${Number(day)} ${name}`;
  return formatInstant(now).startsWith(`${year}-`) ? date : `${date} ${year}`;
}

export function yearOf(ms: number): string {
  return formatInstant(ms).slice(0, -"-MM-DD hh:mm:ss".length);
}

/**
 * Formats the days from one instant to another, with the year: `15–28 Apr 2024`, `29 Apr–12 May
 * 2024`.
 */
export function daySpan(fromMs: number, toMs: number): string {
  const from = shortDay(fromMs, fromMs);
  const to = shortDay(toMs, toMs);
  const toYear = yearOf(toMs);
  const [day = "", month = ""] = from.split(" ");
  if (from === to && yearOf(fromMs) === toYear) return `${to} ${toYear}`;
  if (yearOf(fromMs) !== toYear) return `${from} ${yearOf(fromMs)}–${to} ${toYear}`;
  return `${to.endsWith(month) ? day : from}–${to} ${toYear}`;
}

/** Formats an instant (epoch milliseconds) for copies and exports: `2026-11-20T13:00:05Z`. */
export function utcInstant(ms: number): string {
  return Number.isFinite(ms) ? `${formatInstant(ms, { utc: true }).replace(" ", "T")}Z` : "";
}

export function utcInstantOrNull(ms: number | null): string | null {
  return ms === null ? null : utcInstant(ms);
}

/**
 * Returns the time zone of this machine or of `TZ`, as a name or an offset that `Intl` accepts, or
 * UTC if neither is set. All local times use this zone.
 */
export function localZone(): string {
  const named: string | undefined = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (named === "Etc/Unknown") return "UTC";
  if (named !== undefined) return named;
  // A rule such as JST-9 has an offset and no name.
  const offset = offsetText(Date.now());
  return offset === "+00:00" ? "UTC" : offset;
}

/** Returns the offset of the local zone from UTC at an instant: `+01:00`. */
function offsetText(ms: number): string {
  const east = -new Date(ms).getTimezoneOffset();
  const minutes = Math.abs(east);
  return `${east < 0 ? "-" : "+"}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

export type ShownZone = "local" | "utc";

let currentZone: ShownZone = "local";
const listeners = new Set<() => void>();

export const shownZone = {
  get: (): ShownZone => currentZone,
  set(zone: ShownZone): void {
    if (zone === currentZone) return;
    currentZone = zone;
    for (const listener of [...listeners]) listener();
  },
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

/**
 * Returns the milliseconds east of UTC of the displayed zone at an instant (epoch milliseconds).
 */
export function shownOffsetMs(ms: number): number {
  if (currentZone === "utc") return 0;
  const minutesWest = new Date(ms).getTimezoneOffset();
  return Number.isNaN(minutesWest) ? 0 : -minutesWest * 60_000;
}

/**
 * Returns the name of the displayed zone at an instant, for the header: `UTC`, `UTC-5`, `UTC+5:30`.
 */
export function zoneLabel(ms: number): string {
  const minutes = Math.round(shownOffsetMs(ms) / 60_000);
  if (minutes === 0) return "UTC";
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  const minutesPart = rest === 0 ? "" : `:${String(rest).padStart(2, "0")}`;
  return `UTC${minutes < 0 ? "-" : "+"}${hours}${minutesPart}`;
}
