/** Draws a progress line on the terminal and updates it in place. */

import type { Clock } from "../api/clock.ts";
import { truncate } from "../text/width.ts";
import type { Invocation } from "./invocation.ts";
import { movesCursor, supportsUnicode } from "./terminal-abilities.ts";

/** A line that is redrawn in the same place. */
export interface DrawnLine {
  /**
   * Draws the line, at most ten times per second unless `now` is set. `words` receives the
   * available width in cells.
   */
  draw(words: (width: number) => string, now?: boolean): void;
  clear(): void;
  readonly ascii: boolean;
}

interface LineOutput {
  readonly ascii: boolean;
  /** Returns the width of the terminal in cells. */
  readonly columns: () => number;
  readonly write: (text: string) => void;
}

/** Minimum milliseconds between two drawings. */
const betweenDrawingsMs = 100;

/** Creates a line that is drawn with `write`. */
export function drawnLine(clock: Clock, { ascii, columns, write }: LineOutput): DrawnLine {
  let isDrawn = false;
  let lastAt = Number.NEGATIVE_INFINITY;
  return {
    ascii,
    draw: (words, now = false) => {
      if (!now && clock.elapsed() - lastAt < betweenDrawingsMs) return;
      lastAt = clock.elapsed();
      // The last cells stay free for the ^C that a terminal writes there.
      const width = Math.max(1, columns() - 3);
      write(`\r${truncate(words(width), width, { ascii })}\u001b[K`);
      isDrawn = true;
    },
    clear: () => {
      if (isDrawn) write("\r\u001b[K");
      isDrawn = false;
      lastAt = Number.NEGATIVE_INFINITY;
    },
  };
}

/**
 * Returns a progress line on stderr, or null if stderr cannot redraw a line or `--quiet` is given.
 */
export function progressLine({ io, globals }: Invocation): DrawnLine | null {
  const isLinear = globals.accessible || io.env.INK_SCREEN_READER === "true";
  if (globals.quiet || isLinear || io.stderr.isTTY !== true || !movesCursor(io.env)) return null;
  return drawnLine(io.clock, {
    ascii: globals.ascii || !supportsUnicode(io.env),
    columns: () => io.stderr.columns ?? 80,
    write: (text) => void io.stderr.write(text),
  });
}
