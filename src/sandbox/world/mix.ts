/** Repeatable pseudo-random numbers that decide the timeline of every account without storage. */

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
