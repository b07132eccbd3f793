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

  /** Returns the hash of the normal form of an ASCII text. */
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

/** Spreads the bits of a hash. */
export function mixed(hash: number): number {
  let spread = hash ^ (hash >>> 15);
  spread = Math.imul(spread, 0x2c1b3c6d);
  spread ^= spread >>> 13;
  spread = Math.imul(spread, 0x297a2d39);
  return (spread ^ (spread >>> 16)) >>> 0;
}

function leadBits(byte: number): number {
  return byte >= 0xf0 ? 0x07 : byte >= 0xe0 ? 0x0f : 0x1f;
}

/** Returns true if two texts differ by one inserted, deleted or replaced code point. */
export function isOneEdit(one: CodePoints, other: CodePoints): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  if (long.length - short.length > 1) return false;
  let start = 0;
  while (start < short.length && short.points[start] === long.points[start]) start++;
  let left = short.length;
  let right = long.length;
  while (left > start && short.points[left - 1] === long.points[right - 1]) {
    left--;
    right--;
  }
  return right - start === 1 && left - start <= 1;
}
