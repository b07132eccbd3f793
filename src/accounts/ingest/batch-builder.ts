import { longer } from "../columns.ts";
import { type AccountBatch, AccountFlag } from "./batch.ts";
import type { ScannedRows } from "./row-scan.ts";

/** Maximum number of rows of one body whose JSON is stored because of extra data. */
export const maxExtras = 20_000;
/** Maximum number of characters of the stored JSON of one body. */
export const maxExtraCharacters = 8 * 1024 * 1024;

const encoder = new TextEncoder();

export class BatchBuilder {
  count = 0;
  #text = new Uint8Array(1 << 16);
  #length = 0;
  #reserved = 0;
  #ends = new Uint32Array(3 * 1024);
  #flags = new Uint8Array(1024);
  #createdAt = new Float64Array(1024);
  #extras = new Map<number, string>();
  #extrasStored = 0;
  #extraCharacters = 0;
  /** The flag of a row without a service account number: that of the list's state, or 0. */
  readonly unnumbered: number;

  /** `state` is the state of rows without a service account number. */
  constructor(state: "pending" | "imported" | "gone" = "pending") {
    this.unnumbered = state === "pending" ? 0 : AccountFlag[state];
  }

  /** Reserves `bytes` bytes for the texts of later calls of {@link addBytes}. */
  reserve(bytes: number): void {
    this.#reserved = bytes;
    this.#ensureRoom(bytes);
  }

  /** Makes room for `bytes` bytes of text in addition to the reserved bytes. */
  makeRoom(bytes: number): void {
    this.#ensureRoom(bytes + this.#reserved);
  }

  #ensureRoom(bytes: number): void {
    const needed = this.#length + bytes;
    if (needed > this.#text.length)
      this.#text = longer(this.#text, Math.max(needed, this.#text.length * 2));
  }

  /**
   * Adds a row whose texts are in `bytes` in their final form. A start of -1 means null. The caller
   * reserves memory for the texts.
   */
  addBytes(
    bytes: Uint8Array,
    external: number,
    externalEnd: number,
    service: number,
    serviceEnd: number,
    created: number,
    createdEnd: number,
  ): void {
    if (this.count === this.#flags.length) this.#moreRows();
    const text = this.#text;
    let length = this.#length;
    let flags = 0;
    let at = this.count * 3;
    for (let from = external; from < externalEnd; from++) text[length++] = bytes[from] as number;
    this.#ends[at++] = length;
    if (service < 0) flags = AccountFlag.serviceNull | this.unnumbered;
    else if (service === serviceEnd) flags = this.unnumbered;
    else for (let from = service; from < serviceEnd; from++) text[length++] = bytes[from] as number;
    this.#ends[at++] = length;
    if (created < 0) {
      flags |= AccountFlag.createdNull;
      this.#createdAt[this.count] = Number.NaN;
    } else {
      this.#createdAt[this.count] = instantOf(bytes, created, createdEnd);
      for (let from = created; from < createdEnd; from++) text[length++] = bytes[from] as number;
    }
    this.#ends[at] = length;
    this.#flags[this.count] = flags;
    this.#length = length;
    this.count += 1;
  }

  /** Adds the rows of one scan. The caller reserves memory for the texts. */
  addRows({ count, text, ends, flags }: ScannedRows): void {
    while (this.count + count > this.#flags.length) this.#moreRows();
    const base = this.#length;
    this.#text.set(text, base);
    this.#flags.set(flags, this.count);
    const allEnds = this.#ends;
    let at = this.count * 3;
    for (let row = 0; row < count; row++) {
      allEnds[at] = base + (ends[row * 3] as number);
      const from = base + (ends[row * 3 + 1] as number);
      allEnds[at + 1] = from;
      const to = base + (ends[row * 3 + 2] as number);
      allEnds[at + 2] = to;
      const isNull = ((flags[row] as number) & AccountFlag.createdNull) !== 0;
      this.#createdAt[this.count + row] = isNull ? Number.NaN : instantOf(this.#text, from, to);
      at += 3;
    }
    this.count += count;
    this.#length = base + text.length;
  }

  addTexts(external: string, service: string | null, created: string | null): void {
    const bytes = encoder.encode(external + (service ?? "") + (created ?? ""));
    const serviceAt = Buffer.byteLength(external);
    const createdAt = serviceAt + (service === null ? 0 : Buffer.byteLength(service));
    this.makeRoom(bytes.length);
    this.addBytes(
      bytes,
      0,
      serviceAt,
      service === null ? -1 : serviceAt,
      createdAt,
      created === null ? -1 : createdAt,
      bytes.length,
    );
  }

  get hasRoomForExtras(): boolean {
    return this.#extrasStored < maxExtras && this.#extraCharacters < maxExtraCharacters;
  }

  flag(flag: number): void {
    const row = this.count - 1;
    this.#flags[row] = (this.#flags[row] as number) | flag;
  }

  /**
   * Stores the JSON of the row added last, or flags the row if the limits do not allow that. `json`
   * is null if the caller did not decode it because of the limits.
   */
  storeExtras(json: string | null): void {
    const fits =
      json !== null &&
      this.hasRoomForExtras &&
      this.#extraCharacters + json.length <= maxExtraCharacters;
    this.flag(fits ? AccountFlag.extras : AccountFlag.unstoredExtras);
    if (!fits) return;
    this.#extras.set(this.count - 1, json);
    this.#extrasStored += 1;
    this.#extraCharacters += json.length;
  }

  /** Returns the collected rows as a batch with separate memory, or null if there are none. */
  take(): AccountBatch | null {
    if (this.count === 0) return null;
    const batch: AccountBatch = {
      count: this.count,
      text: this.#text.slice(0, this.#length),
      ends: this.#ends.slice(0, this.count * 3),
      flags: this.#flags.slice(0, this.count),
      createdAt: this.#createdAt.slice(0, this.count),
      extras: this.#extras,
    };
    this.#extras = new Map();
    this.count = 0;
    this.#length = 0;
    return batch;
  }

  #moreRows(): void {
    const rows = this.#flags.length * 2;
    this.#ends = longer(this.#ends, rows * 3);
    this.#flags = longer(this.#flags, rows);
    this.#createdAt = longer(this.#createdAt, rows);
  }
}

/** Returns the value of an ASCII digit, or NaN for any other byte. */
function digit(bytes: Uint8Array, at: number): number {
  const value = (bytes[at] as number) - 0x30;
  return value >= 0 && value <= 9 ? value : Number.NaN;
}

function twoDigits(bytes: Uint8Array, at: number): number {
  return digit(bytes, at) * 10 + digit(bytes, at + 1);
}

/** Number of days of each month, without a leap day. */
const daysOfMonth = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;
/** Number of days of a year before each month, without a leap day. */
const daysBefore = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334] as const;

/** Returns the days from 1970-01-01 to a date, or NaN if the date does not exist. */
function daysSinceEpoch(year: number, month: number, day: number): number {
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const lastDay = (daysOfMonth[month - 1] ?? Number.NaN) + (leap && month === 2 ? 1 : 0);
  if (!(day >= 1 && day <= lastDay)) return Number.NaN;
  const pastYears = year - 1;
  const leapDays =
    Math.floor(pastYears / 4) - Math.floor(pastYears / 100) + Math.floor(pastYears / 400);
  const before = (daysBefore[month - 1] as number) + (leap && month > 2 ? 1 : 0);
  return pastYears * 365 + leapDays + before + day - 719_163;
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
  const hours = twoDigits(bytes, from + 1);
  const minutes = length === 3 ? 0 : twoDigits(bytes, to - 2);
  if (!(hours <= 23 && minutes <= 59)) return Number.NaN;
  return (sign === 0x2d ? -1 : 1) * (hours * 60 + minutes);
}

/**
 * Returns the epoch milliseconds of an ISO 8601 datetime with an offset (INTERFACE 2, conventions),
 * or NaN for any other text. A datetime without an offset names no instant.
 */
function instantOf(bytes: Uint8Array, from: number, to: number): number {
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
  const year = twoDigits(bytes, from) * 100 + twoDigits(bytes, from + 2);
  const month = twoDigits(bytes, from + 5);
  const hour = twoDigits(bytes, from + 11);
  const minute = twoDigits(bytes, from + 14);
  let seconds = 0;
  let milliseconds = 0;
  let at = from + 16;
  if (bytes[at] === 0x3a && to - at > 3) {
    seconds = twoDigits(bytes, at + 1);
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
  const days = daysSinceEpoch(year, month, twoDigits(bytes, from + 8));
  const east = offsetMinutes(bytes, at, to);
  return ((days * 24 + hour) * 60 + minute - east) * 60_000 + seconds * 1000 + milliseconds;
}
