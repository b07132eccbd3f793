import { createInterface } from "node:readline";
import type { Io } from "../io.ts";

/** Whether somebody sits there who can be asked. */
export function canAsk({ stdin, stderr }: Io): boolean {
  return stdin.isTTY === true && stderr.isTTY === true;
}

/**
 * Asks on the terminal and resolves with the line typed; empty at the end of input. Rejects with the
 * signal's reason when the program is ended meanwhile.
 */
export function ask({ stdin, stderr, signal }: Io, question: string): Promise<string> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    stderr.write(question);
    // The terminal edits the line itself, so that Ctrl-C stays a signal.
    const lines = createInterface({ input: stdin, terminal: false });
    let answer = "";
    let ended = false;
    const onAbort = () => {
      ended = true;
      lines.close();
    };
    lines.once("line", (line) => {
      answer = line;
      lines.close();
    });
    lines.once("close", () => {
      signal.removeEventListener("abort", onAbort);
      stdin.pause();
      if (ended) reject(signal.reason);
      else resolve(answer.trim());
    });
    signal.addEventListener("abort", onAbort, { once: true });
  });
}
