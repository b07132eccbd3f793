/** The terminal output for Ink in linear mode, where nothing on the screen moves. */
import type { Clock } from "../../api/clock.ts";
import { asciiCells } from "../../text/ascii-cells.ts";
import { plainWords, wrap } from "../../text/width.ts";
import { Transcript } from "./transcript.ts";

/**
 * The terminal for Ink, with functions that print the screen again and let another program write.
 */
export interface LinearOutput {
  readonly stdout: NodeJS.WriteStream;
  /** Prints the whole screen again. */
  repeat(): void;
  /** Prints the remaining changes and starts a new line, because another program writes next. */
  settle(): void;
}

/** Matches the request for bracketed pastes, the only sequence that linear mode sends. */
const bracketedPaste = /^\x1b\[\?2004[hl]$/;

/**
 * Returns an output that prints Ink's complete frames as a transcript (see {@link Transcript}). No
 * sequence moves the cursor. With `plain` no sequence is sent at all.
 */
export function linearOutput(
  stdout: NodeJS.WriteStream,
  options: { readonly clock: Clock; readonly ascii: boolean; readonly plain: boolean },
): LinearOutput {
  const print = (text: string) => {
    const shown = options.ascii ? asciiCells(plainWords(text)) : text;
    stdout.write(wrapped(shown, stdout.columns || 80));
  };
  const transcript = new Transcript(print, options.clock);
  const write = (chunk: string | Uint8Array, ...rest: readonly unknown[]) => {
    const done = rest.find((one): one is () => void => typeof one === "function");
    const text = typeof chunk === "string" ? chunk : Buffer.from(chunk).toString("utf8");
    if (bracketedPaste.test(text)) {
      if (!options.plain) stdout.write(text);
    } else if (text.startsWith("\x1b")) {
      // Other sequences are dropped, so that the cursor stays visible after the last printed word.
    } else if (text.trim() !== "") transcript.show(text);
    return done ? stdout.write("", done) : true;
  };
  return {
    stdout: new Proxy(stdout, {
      get(target, name) {
        if (name === "write") return write;
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === "function" ? value.bind(target) : value;
      },
    }),
    repeat: () => transcript.repeat(),
    settle: () => transcript.settle(),
  };
}

/** Wraps a complete line between words. An unfinished line stays unchanged. */
function wrapped(text: string, columns: number): string {
  if (!text.endsWith("\n") || text === "\n") return text;
  const lines = wrap(text.slice(0, -1), Math.max(20, columns - 1));
  return lines.map((line) => `${line}\n`).join("");
}
