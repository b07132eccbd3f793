import type { Clock } from "../../api/clock.ts";
import { asciiCells } from "../../text/ascii-cells.ts";
import { plainWords } from "../../text/plain-words.ts";
import { wrap } from "../../text/width.ts";
import { Transcript } from "./transcript.ts";

/** The terminal for Ink, and the ways to print the screen again and to pause. */
export interface LinearOutput {
  readonly stdout: NodeJS.WriteStream;
  /** Prints the whole screen again. */
  repeat(): void;
  /** Prints the remaining changes and starts a new line, because another program writes next. */
  settle(): void;
}

/** The only sequence for a screen that remains: the request for bracketed pastes. */
const bracketedPaste = /^\x1b\[\?2004[hl]$/;

/**
 * The terminal as Ink's frames, written whole, reach it: as a transcript (see {@link Transcript}).
 * No sequence moves the cursor; with `plain` no sequence is sent at all.
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
      // The cursor stays visible behind the last word printed.
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

/** A line broken between words; one that is not finished is left as it is. */
function wrapped(text: string, columns: number): string {
  if (!text.endsWith("\n") || text === "\n") return text;
  const lines = wrap(text.slice(0, -1), Math.max(20, columns - 1));
  return lines.map((line) => `${line}\n`).join("");
}
