/** Formats creation times as the screen shows them, so that the filter finds the shown text. */
export interface ShownInstant {
  text(createdAtMs: number): string;
  /** Writes the text as UTF-8 from `at` on, into room for {@link shownBytes}. Returns the end. */
  write(createdAtMs: number, into: Uint8Array, at: number): number;
}

/** Maximum number of bytes of one time. */
export const shownBytes = 64;

const encoder = new TextEncoder();

/** Creates the formatter from the text alone, or with a faster way to write it. */
export function shownInstant(
  text: (createdAtMs: number) => string,
  write: ShownInstant["write"] = (ms, into, at) =>
    at + encoder.encodeInto(text(ms), into.subarray(at, at + shownBytes)).written,
): ShownInstant {
  return { text, write };
}
