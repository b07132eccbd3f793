import { appendFileSync } from "node:fs";

/** Milliseconds that a drawn piece stays before the test goes on: long enough to read along. */
const pauseMs = 150;

/**
 * Returns what copies the output of a test's console to a terminal that someone watches, and then waits.
 * `SUPPLYLINE_TEST_SCREEN` names the terminal, as `tty` prints it there. Without it, nothing is copied.
 */
export function watchedScreen(
  terminal: string | undefined = process.env.SUPPLYLINE_TEST_SCREEN,
): (chunk: string) => void {
  if (terminal === undefined || terminal === "") return () => {};
  const waiting = new Int32Array(new SharedArrayBuffer(4));
  return (chunk) => {
    appendFileSync(terminal, chunk);
    // Everything waits, so that neither the program nor the test runs ahead of the eye.
    Atomics.wait(waiting, 0, 0, pauseMs);
  };
}
