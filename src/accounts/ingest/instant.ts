/** Parses `account_created_at` from bytes, without a string for each of a million rows. */

function digit(bytes: Uint8Array, at: number): number {
  const value = (bytes[at] as number) - 0x30;
  return value >= 0 && value <= 9 ? value : Number.NaN;
}

function two(bytes: Uint8Array, at: number): number {
  return digit(bytes, at) * 10 + digit(bytes, at + 1);
}

const daysBefore = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334] as const;

function daysSinceEpoch(year: number, month: number, day: number): number {
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const longest = month === 2 ? (leap ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31;
  if (day < 1 || day > longest) return Number.NaN;
  const past = year - 1;
  const leapDays = Math.floor(past / 4) - Math.floor(past / 100) + Math.floor(past / 400);
  const before = (daysBefore[month - 1] ?? Number.NaN) + (leap && month > 2 ? 1 : 0);
  return past * 365 + leapDays + before + day - 719_163;
}

/**
 * Returns the minutes east of UTC of `Z`, `+HH`, `+HHMM` or `+HH:MM`, or NaN for any other text.
 */
function offsetMinutes(bytes: Uint8Array, from: number, to: number): number {
  const sign = bytes[from] as number;
  const length = to - from;
  if (sign === 0x5a || sign === 0x7a) return length === 1 ? 0 : Number.NaN;
  if (sign !== 0x2b && sign !== 0x2d) return Number.NaN;
  if (length !== 3 && length !== 5 && length !== 6) return Number.NaN;
  if (length === 6 && bytes[from + 3] !== 0x3a) return Number.NaN;
  const hours = two(bytes, from + 1);
  const minutes = length === 3 ? 0 : two(bytes, to - 2);
  if (!(hours <= 23 && minutes <= 59)) return Number.NaN;
  return (sign === 0x2d ? -1 : 1) * (hours * 60 + minutes);
}

/**
 * Returns the epoch milliseconds of an ISO 8601 datetime with an offset (INTERFACE 2, conventions),
 * or NaN for any other text. A datetime without an offset names no instant.
 */
export function instantOf(bytes: Uint8Array, from: number, to: number): number {
  if (to - from < 17 || to - from > 64) return Number.NaN;
  const separator = bytes[from + 10] as number;
  if (
    bytes[from + 4] !== 0x2d ||
    bytes[from + 7] !== 0x2d ||
    bytes[from + 13] !== 0x3a ||
    (separator !== 0x54 && separator !== 0x74 && separator !== 0x20)
  ) {
    return Number.NaN;
  }
  const year = two(bytes, from) * 100 + two(bytes, from + 2);
  const month = two(bytes, from + 5);
  const hour = two(bytes, from + 11);
  const minute = two(bytes, from + 14);
  let seconds = 0;
  let milliseconds = 0;
  let at = from + 16;
  if (bytes[at] === 0x3a && to - at > 3) {
    seconds = two(bytes, at + 1);
    at += 3;
    if (bytes[at] === 0x2e || bytes[at] === 0x2c) {
      at += 1;
      const first = at;
      let scale = 100;
      for (; at < to; at++) {
        const value = digit(bytes, at);
        if (Number.isNaN(value)) break;
        milliseconds += value * scale;
        scale = scale > 1 ? scale / 10 : 0;
      }
      if (at === first) return Number.NaN;
    }
  }
  if (at >= to || !(hour <= 23 && minute <= 59 && seconds <= 59)) return Number.NaN;
  const days = daysSinceEpoch(year, month, two(bytes, from + 8));
  const east = offsetMinutes(bytes, at, to);
  return ((days * 24 + hour) * 60 + minute - east) * 60_000 + seconds * 1000 + milliseconds;
}
