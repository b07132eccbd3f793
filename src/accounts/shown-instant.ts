/** How creation times are written on the screen, so that the filter finds them so too. */
export interface ShownInstant {
  text(createdAtMs: number): string;
  /** The same as UTF-8 from `at` on, where there is room for {@link shownBytes}; returns the end. */
  write(createdAtMs: number, into: Uint8Array, at: number): number;
}

/** Most bytes of one time. */
export const shownBytes = 64;

const encoder = new TextEncoder();

/** Made from the text alone, or with a quicker way to write it. */
export function shownInstant(
  text: (createdAtMs: number) => string,
  write: ShownInstant["write"] = (ms, into, at) =>
    at + encoder.encodeInto(text(ms), into.subarray(at, at + shownBytes)).written,
): ShownInstant {
  return { text, write };
}
