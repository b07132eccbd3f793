/** Writes instants as the screen shows them, fast enough for lists of a million accounts. */
import { formatInstant, shownZone } from "../text/dates.ts";

/**
 * Writes an instant (epoch milliseconds) as at most {@link shownBytes} bytes into `into` from `at`
 * on. Returns the end.
 */
type InstantWriter = (ms: number, into: Uint8Array, at: number) => number;

const quarterMs = 15 * 60_000;
/** The number of cached quarter hours, in total about six weeks. */
const cachedQuarters = 4096;
/** The length of `2026-11-20 14:`. */
const headBytes = 14;
/** The minute value that marks a quarter hour with a clock change, or with an irregular text. */
const irregular = 255;

const encoder = new TextEncoder();

/**
 * Returns a writer with the output of {@link formatInstant} that is fast for a million instants.
 * The date is computed once for each quarter of an hour, because zones change only between
 * quarters.
 */
export function instantWriter(): InstantWriter {
  const quarters = new Float64Array(cachedQuarters).fill(Number.NaN);
  const heads = new Uint8Array(cachedQuarters * headBytes);
  const minutes = new Uint8Array(cachedQuarters);
  let zone = shownZone.get();
  return (ms, into, at) => {
    if (zone !== shownZone.get()) {
      zone = shownZone.get();
      quarters.fill(Number.NaN);
    }
    const quarter = Math.floor(ms / quarterMs);
    const place = quarter & (cachedQuarters - 1);
    if (quarters[place] !== quarter) {
      quarters[place] = quarter;
      minutes[place] = writeQuarterHead(quarter * quarterMs, heads.subarray(place * headBytes));
    }
    const minute = minutes[place] as number;
    if (minute === irregular) {
      return at + encoder.encodeInto(formatInstant(ms), into.subarray(at)).written;
    }
    const head = place * headBytes;
    for (let byte = 0; byte < headBytes; byte++) into[at + byte] = heads[head + byte] as number;
    const seconds = Math.floor((ms - quarter * quarterMs) / 1000);
    const passed = Math.floor(seconds / 60);
    twoDigits(minute + passed, into, at + 14);
    into[at + 16] = 0x3a;
    twoDigits(seconds - passed * 60, into, at + 17);
    return at + 19;
  };
}

/**
 * Writes the common beginning of all instants of a quarter of an hour. Returns its first minute, or
 * `irregular` if there is no common beginning.
 */
function writeQuarterHead(start: number, head: Uint8Array): number {
  const first = formatInstant(start);
  const last = formatInstant(start + quarterMs - 1);
  const minute = Number(first.slice(14, 16));
  const isRegular =
    first.length === 19 &&
    last.length === 19 &&
    first.slice(0, headBytes) === last.slice(0, headBytes) &&
    first.endsWith("00") &&
    last.slice(14) === `${String(minute + 14).padStart(2, "0")}:59`;
  if (!isRegular) return irregular;
  encoder.encodeInto(first.slice(0, headBytes), head);
  return minute;
}

function twoDigits(value: number, into: Uint8Array, at: number): void {
  into[at] = 0x30 + Math.floor(value / 10);
  into[at + 1] = 0x30 + (value % 10);
}

/**
 * Formats creation times for the screen. The filter uses the same format, so that it finds the
 * shown text.
 */
export interface ShownInstant {
  text(createdAtMs: number): string;
  /**
   * Writes the text as UTF-8 into `into` from `at` on. Needs {@link shownBytes} bytes of room.
   * Returns the end.
   */
  write(createdAtMs: number, into: Uint8Array, at: number): number;
}

/** Maximum number of bytes of one time. */
export const shownBytes = 64;

export function screenInstants(): ShownInstant {
  return { text: (ms) => formatInstant(ms), write: instantWriter() };
}
