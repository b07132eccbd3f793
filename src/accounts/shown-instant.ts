import { formatInstant } from "../text/dates.ts";
import { instantWriter } from "../text/instant-writer.ts";

/** Formats creation times as the screen shows them, so that the filter finds the shown text. */
export interface ShownInstant {
  text(createdAtMs: number): string;
  /** Writes the text as UTF-8 from `at` on, into room for {@link shownBytes}. Returns the end. */
  write(createdAtMs: number, into: Uint8Array, at: number): number;
}

/** Maximum number of bytes of one time. */
export const shownBytes = 64;

/** Returns the times as every screen shows them. */
export function screenInstants(): ShownInstant {
  return { text: (ms) => formatInstant(ms), write: instantWriter() };
}
