/**
 * The last computed hash of an account's content on a list, without its number. It shows a change
 * without reading the stored text. It has 64 bits in two halves, `hash.low` and `hash.high`.
 */
export const hash = { low: 0, high: 0 };

/** Sets {@link hash} for a service account number in UTF-8 (empty: none) and a creation time. */
export function hashContent(bytes: Uint8Array, from: number, to: number, createdAt: number): void {
  let low = 0x811c9dc5;
  let high = 0x9747b28c;
  for (let at = from; at < to; at++) {
    const byte = bytes[at] as number;
    low = Math.imul(low ^ byte, 0x01000193);
    high = Math.imul(high + byte + 1, 0x5bd1e995);
  }
  // Times are whole milliseconds, and NaN is written as 0 and -1.
  const isKnown = !Number.isNaN(createdAt);
  const small = isKnown ? createdAt | 0 : 0;
  const large = isKnown ? Math.floor(createdAt / 2 ** 32) : -1;
  low = Math.imul(low ^ small, 0x2c1b3c6d);
  low = Math.imul(low ^ (low >>> 15) ^ large, 0x297a2d39);
  high = Math.imul(high ^ (high >>> 13) ^ small, 0x85ebca6b);
  high = Math.imul(high ^ (high >>> 16) ^ large, 0xc2b2ae35);
  hash.low = (low ^ (low >>> 14)) >>> 0;
  hash.high = (high ^ (high >>> 15)) >>> 0;
}
