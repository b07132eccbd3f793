import { formatInstant } from "../text/dates.ts";
import { instantWriter } from "../text/instant-writer.ts";

/**
 * Formats creation times for the screen. The filter uses the same format, so that it finds the
 * shown text.
 */
export interface ShownInstant {
  text(createdAtMs: number): string;
  /**
   * Writes the text as UTF-8 into `into` from `at` on. Needs {@link shownBytes} bytes of room.
   * Returns the end.
   */
  write(createdAtMs: number, into: Uint8Array, at: number): number;
}

/** Maximum number of bytes of one time. */
export const shownBytes = 64;

/** Returns the format of creation times that every screen uses. */
export function screenInstants(): ShownInstant {
  return { text: (ms) => formatInstant(ms), write: instantWriter() };
}
