/**
 * Pseudo-random numbers that are a function of the seed, so that timelines need no storage, and the
 * numbers of accounts.
 */

/** Scrambles 32 bits reversibly, so that different inputs have different outputs. */
export function mix(input: number): number {
  let bits = input | 0;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}

/** Returns a number in [0, 1) that depends only on its arguments. */
export function fraction(seed: number, salt: number, index: number): number {
  return mix(index ^ mix(seed ^ mix(salt))) / 0x1_0000_0000;
}

/** Returns a repeatable sequence of numbers in [0, 1). */
export function sequence(seed: number, salt: number): () => number {
  let step = 0;
  return () => fraction(seed, salt, step++);
}

// Tables are faster than formatting each number, for lists of a million accounts.
const hexPairs = Array.from({ length: 256 }, (_, value) =>
  value.toString(16).toUpperCase().padStart(2, "0"),
);
const pair = (byte: number): string => hexPairs[byte & 0xff] ?? "";

/** Returns `A-` and eight hexadecimal digits, different for every input below 2³². */
export function serviceNumber(seed: number, position: number): string {
  const bits = mix(position ^ mix(seed));
  return `A-${pair(bits >>> 24)}${pair(bits >>> 16)}${pair(bits >>> 8)}${pair(bits)}`;
}

const threeDigits = Array.from({ length: 1000 }, (_, value) => String(value).padStart(3, "0"));

/** Returns the prefix and at least seven digits, for example `EXT-0000042` for number 42. */
export function externalNumber(prefix: string, number: number): string {
  const thousands = Math.floor(number / 1000);
  return `${prefix}-${String(thousands).padStart(4, "0")}${threeDigits[number % 1000] ?? ""}`;
}

/**
 * Returns the row of the external account number in a supplier of `size` accounts, whose first row
 * has number 1, or undefined for any other text.
 */
export function rowNumbered(prefix: string, text: string, size: number): number | undefined {
  if (!text.startsWith(`${prefix}-`)) return undefined;
  const digits = text.slice(prefix.length + 1);
  if (!/^\d{7,12}$/.test(digits)) return undefined;
  const number = Number(digits);
  const isOne = externalNumber(prefix, number) === text && number >= 1 && number <= size;
  return isOne ? number - 1 : undefined;
}
