/**
 * Finds the surrounding white space of UTF-8 text in its bytes: the characters that
 * `String.prototype.trim` removes.
 */

/** Returns the start of the text of `bytes` from `from` to `to`, without white space before it. */
export function trimmedStart(bytes: Uint8Array, from: number, to: number): number {
  let at = from;
  while (at < to) {
    const length = spaceAt(bytes, at, to);
    if (length === 0) break;
    at += length;
  }
  return at;
}

/** Returns the end of the text of `bytes` from `from` to `to`, without white space after it. */
export function trimmedEnd(bytes: Uint8Array, from: number, to: number): number {
  let end = to;
  while (end > from) {
    const length = spaceBefore(bytes, from, end);
    if (length === 0) break;
    end -= length;
  }
  return end;
}

/** Returns the number of bytes of the white space that ends at `end`, or 0. */
function spaceBefore(bytes: Uint8Array, from: number, end: number): number {
  const last = bytes[end - 1] as number;
  if (last < 0x80) return isAsciiSpace(last) ? 1 : 0;
  if (end - from >= 2 && spaceAt(bytes, end - 2, end) === 2) return 2;
  return end - from >= 3 && spaceAt(bytes, end - 3, end) === 3 ? 3 : 0;
}

/** Returns the number of bytes of the white space that begins at `at`, or 0. */
function spaceAt(bytes: Uint8Array, at: number, to: number): number {
  const first = bytes[at] as number;
  if (first < 0x80) return isAsciiSpace(first) ? 1 : 0;
  if (first === 0xc2) return at + 1 < to && bytes[at + 1] === 0xa0 ? 2 : 0;
  if (at + 2 >= to) return 0;
  const rest = ((bytes[at + 1] as number) << 8) | (bytes[at + 2] as number);
  switch (first) {
    case 0xe1:
      return rest === 0x9a80 ? 3 : 0;
    case 0xe2:
      return (rest >= 0x8080 && rest <= 0x808a) || threeByteSpaces.has(rest) ? 3 : 0;
    case 0xe3:
      return rest === 0x8080 ? 3 : 0;
    case 0xef:
      return rest === 0xbbbf ? 3 : 0;
    default:
      return 0;
  }
}

/** U+2028, U+2029, U+202F and U+205F without their first byte. */
const threeByteSpaces = new Set([0x80a8, 0x80a9, 0x80af, 0x819f]);

function isAsciiSpace(byte: number): boolean {
  return byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);
}
