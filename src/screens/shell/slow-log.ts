/** Logs frames and keys that take long enough for a user to notice. */
import { isLogged, log } from "../../log/log.ts";

/** Duration in milliseconds from which a frame or a key is logged. */
const slowMs = 50;

/** The part of the terminal's input whose keys are timed. */
interface KeyInput {
  on(event: "data", listener: () => void): unknown;
}

/** The size of the terminal in cells, which explains most slow frames. */
interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

/** Logs a frame that took `ms` milliseconds to draw, if that is slow. */
export function logFrame(ms: number, { columns, rows }: TerminalSize): void {
  if (ms >= slowMs) log({ event: "slow-frame", ms: Math.round(ms), columns, rows });
}

/**
 * Logs keys whose handling blocks the program. The time ends when the program can handle another
 * key. Has no effect without a log. `now` returns milliseconds, and `later` calls its argument after
 * the handling of the key.
 */
export function logSlowKeys(
  input: KeyInput,
  now: () => number = () => performance.now(),
  later: (call: () => void) => unknown = setImmediate,
): void {
  if (!isLogged()) return;
  input.on("data", () => {
    const began = now();
    later(() => {
      const ms = now() - began;
      if (ms >= slowMs) log({ event: "slow-key", ms: Math.round(ms) });
    });
  });
}
