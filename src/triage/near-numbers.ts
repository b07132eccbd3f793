/**
 * Finds the numbers near a wanted number, for suggestions: numbers with the same normal form, and
 * numbers one edit away. Hashes and first bytes exclude most others without a comparison.
 */
import { isAscii } from "../accounts/columns.ts";

/**
 * Returns the normal form of a number, which is the same for different spellings. It ignores case,
 * Unicode form, spaces, hyphens, underscores, and leading zeros of each run of digits.
 */
export function normalForm(number: string): string {
  return number
    .replace(/(?<![0-9])0+(?=[0-9])/g, "")
    .toLowerCase()
    .normalize("NFC")
    .replace(/[\s\-_\u2010\u2011]/g, "");
}

/** The code points of a text. The next text reuses the memory. */
export class CodePoints {
  points = new Uint32Array(64);
  length = 0;

  /** Reads UTF-8 text from `bytes`. Returns true if all of it is ASCII. */
  take(bytes: Uint8Array, from: number, to: number): boolean {
    if (to - from > this.points.length) this.points = new Uint32Array((to - from) * 2);
    let bits = 0;
    let length = 0;
    for (let at = from; at < to; at++) {
      const byte = bytes[at] as number;
      bits |= byte;
      if (byte < 0x80) this.points[length++] = byte;
      else if (byte >= 0xc0) this.points[length++] = byte & leadBits(byte);
      else this.points[length - 1] = ((this.points[length - 1] as number) << 6) | (byte & 0x3f);
    }
    this.length = length;
    return bits < 0x80;
  }

  normalHash(): number {
    let hash = 0x811c9dc5;
    let wasDigit = false;
    for (let at = 0; at < this.length; at++) {
      let point = this.points[at] as number;
      const isDigit = point >= 0x30 && point <= 0x39;
      const next = at + 1 < this.length ? (this.points[at + 1] as number) : 0;
      const isLeading = point === 0x30 && !wasDigit && next >= 0x30 && next <= 0x39;
      if (isLeading) continue;
      wasDigit = isDigit;
      if (point === 0x2d || point === 0x5f || point === 0x20 || (point >= 0x09 && point <= 0x0d))
        continue;
      if (point >= 0x41 && point <= 0x5a) point += 0x20;
      hash = Math.imul(hash ^ point, 0x01000193);
    }
    return mixed(hash);
  }
}

/** Returns the hash of a normal form. It equals {@link CodePoints.normalHash} of its ASCII text. */
export function hashOfText(text: string): number {
  let hash = 0x811c9dc5;
  for (const character of text)
    hash = Math.imul(hash ^ (character.codePointAt(0) as number), 0x01000193);
  return mixed(hash);
}

function mixed(hash: number): number {
  let spread = hash ^ (hash >>> 15);
  spread = Math.imul(spread, 0x2c1b3c6d);
  spread ^= spread >>> 13;
  spread = Math.imul(spread, 0x297a2d39);
  return (spread ^ (spread >>> 16)) >>> 0;
}

function leadBits(byte: number): number {
  return byte >= 0xf0 ? 0x07 : byte >= 0xe0 ? 0x0f : 0x1f;
}

/**
 * Returns true if two texts differ by one inserted, deleted or replaced code point, or by two
 * swapped neighbors.
 */
export function isOneEdit(a: CodePoints, b: CodePoints): boolean {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  if (long.length - short.length > 1) return false;
  let start = 0;
  while (start < short.length && short.points[start] === long.points[start]) start++;
  let left = short.length;
  let right = long.length;
  while (left > start && short.points[left - 1] === long.points[right - 1]) {
    left--;
    right--;
  }
  if (right - start === 1) return left - start <= 1;
  return right - start === 2 && left === right && areSwapped(short.points, long.points, start);
}

function areSwapped(one: Uint32Array, other: Uint32Array, at: number): boolean {
  return one[at] === other[at + 1] && one[at + 1] === other[at];
}

const base = 0x01000193;

/**
 * The hashes of a text, and of the text without each one of its code points. Two texts that are one
 * edit apart share at least one hash: two swapped neighbors are equal without one of the two.
 */
export class EditHashes {
  hashes = new Uint32Array(65);
  count = 0;
  #before = new Uint32Array(65);
  #powers = new Uint32Array(65);

  constructor() {
    this.#fillPowers();
  }

  take({ points, length }: CodePoints): void {
    if (length + 1 > this.hashes.length) this.#grow(length + 1);
    const before = this.#before;
    let hash = 0;
    for (let at = 0; at < length; at++) {
      before[at] = hash;
      hash = (Math.imul(hash, base) + (points[at] as number) + 1) | 0;
    }
    this.hashes[0] = mixed(hash ^ length);
    let count = 1;
    let hashAfter = 0;
    for (let at = length - 1; at >= 0; at--) {
      // Removing either of two equal neighbors results in the same text.
      if (at === 0 || points[at] !== points[at - 1]) {
        const rest = length - 1 - at;
        const without =
          (Math.imul(before[at] as number, this.#powers[rest] as number) + hashAfter) | 0;
        this.hashes[count++] = mixed(without ^ (length - 1));
      }
      const power = this.#powers[length - 1 - at] as number;
      hashAfter = (hashAfter + Math.imul((points[at] as number) + 1, power)) | 0;
    }
    this.count = count;
  }

  #grow(length: number): void {
    this.hashes = new Uint32Array(length * 2);
    this.#before = new Uint32Array(length * 2);
    this.#powers = new Uint32Array(length * 2);
    this.#fillPowers();
  }

  #fillPowers(): void {
    let power = 1;
    for (let at = 0; at < this.#powers.length; at++) {
      this.#powers[at] = power;
      power = Math.imul(power, base);
    }
  }
}

/** A wanted number, prepared so that most other numbers are excluded after a few bytes. */
export interface WantedBytes {
  readonly bytes: Uint8Array;
  /** The bytes of the number's normal form, or null if they are not all ASCII. */
  readonly form: Uint8Array | null;
}

const longestPoint = 4;

export function wantedBytes(number: string): WantedBytes {
  const form = Buffer.from(normalForm(number));
  return { bytes: Buffer.from(number), form: isAscii(form, 0, form.length) ? form : null };
}

export function mayBeNear(wanted: WantedBytes, text: Uint8Array, from: number, to: number) {
  return mayBeOneEdit(wanted, text, from, to) || mayHaveSameForm(wanted, text, from, to);
}

/**
 * Returns true if the number can be one edit away: the text before and after an edit is equal. A
 * swap of neighbors changes two code points and preserves the length.
 */
function mayBeOneEdit({ bytes }: WantedBytes, text: Uint8Array, from: number, to: number): boolean {
  const length = to - from;
  const shorter = Math.min(length, bytes.length);
  const longer = Math.max(length, bytes.length);
  if (longer - shorter > longestPoint) return false;
  let start = 0;
  while (start < shorter && text[from + start] === bytes[start]) start++;
  let end = 0;
  const maxEnd = shorter - start;
  while (end < maxEnd && text[to - 1 - end] === bytes[bytes.length - 1 - end]) end++;
  const changed = longer - start - end;
  return changed <= longestPoint || (longer === shorter && changed <= 2 * longestPoint);
}

/** Returns true if the forms can be equal: a form lacks only separators and some zeros. */
function mayHaveSameForm(
  { form }: WantedBytes,
  text: Uint8Array,
  from: number,
  to: number,
): boolean {
  if (form === null) return true;
  let left = form.length;
  for (let at = to - 1; at >= from; at--) {
    let byte = text[at] as number;
    if (byte >= 0x80) return true;
    if (byte >= 0x41 && byte <= 0x5a) byte += 0x20;
    if (left > 0 && form[left - 1] === byte) left--;
    else if (byte !== 0x30 && !isSeparator(byte)) return false;
  }
  return left === 0;
}

function isSeparator(byte: number): boolean {
  return byte === 0x2d || byte === 0x5f || byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);
}
