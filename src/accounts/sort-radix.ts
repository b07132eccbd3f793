import type { Sliced } from "./slices.ts";

/** Number of elements between two yields. */
export const stride = 8192;

const digitBits = 11;
const digits = 1 << digitBits;

/** Rows, and the sort key of each row at the same position. */
interface Keyed {
  rows: Uint32Array;
  keys: Uint32Array;
}

/**
 * Sorts rows by their keys, ascending and stable, from the least to the most significant digit of
 * the greatest key. Overwrites the arrays of `keyed`. The result is either these arrays or new
 * ones.
 */
export function* radixSort(keyed: Keyed, greatest: number): Sliced<Keyed> {
  const count = keyed.rows.length;
  let from = keyed;
  let to: Keyed = { rows: new Uint32Array(count), keys: new Uint32Array(count) };
  const bits = 32 - Math.clz32(greatest);
  for (let shift = 0; shift < bits; shift += digitBits) {
    const places = new Uint32Array(digits);
    for (let start = 0; start < count; start += stride) {
      const end = Math.min(count, start + stride);
      for (let at = start; at < end; at++) {
        const digit = ((from.keys[at] as number) >>> shift) & (digits - 1);
        places[digit] = (places[digit] as number) + 1;
      }
      yield;
    }
    let place = 0;
    for (let digit = 0; digit < digits; digit++) {
      const rowsOfDigit = places[digit] as number;
      places[digit] = place;
      place += rowsOfDigit;
    }
    for (let start = 0; start < count; start += stride) {
      const end = Math.min(count, start + stride);
      for (let at = start; at < end; at++) {
        const key = from.keys[at] as number;
        const digit = (key >>> shift) & (digits - 1);
        const next = places[digit] as number;
        places[digit] = next + 1;
        to.keys[next] = key;
        to.rows[next] = from.rows[at] as number;
      }
      yield;
    }
    [from, to] = [to, from];
  }
  return from;
}
