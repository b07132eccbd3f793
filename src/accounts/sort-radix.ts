import type { Sliced } from "./slices.ts";

/** Elements handled between two chances to pause. */
export const stride = 8192;

const digitBits = 11;
const digits = 1 << digitBits;

/** Rows with the keys they are sorted by, side by side. */
interface Keyed {
  rows: Uint32Array;
  keys: Uint32Array;
}

/**
 * Sorts rows by their keys, ascending and stable: least significant digit first, only as many
 * digits as the greatest key has. Overwrites the arrays. The result can be either pair.
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
      const held = places[digit] as number;
      places[digit] = place;
      place += held;
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
