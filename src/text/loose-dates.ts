/** Reads typed dates and times, such as `24.11.26 14:00` or `-3d`, and returns their exact form. */
import { readDay } from "./loose-day.ts";
import {
  dateText,
  instantNear,
  instantsOf,
  type LocalTime,
  localTimeAt,
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
