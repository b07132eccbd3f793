import { asciiCells } from "../text/ascii-cells.ts";

const enterScreen = "\x1b[?1049h";
/** Leads back from the other screen; a terminal that has none stays where it is, in the last line. */
const leaveScreen = "\x1b[?1049l";

/** The cursor may stand behind a key that the terminal has echoed before it was ours. */
const entering = `${enterScreen}\r`;

const manyLinesDown = /(?:\x1b\[E){2,}/g;
const oneLineDown = "\x1b[E".length;

/** What Ink is given to write to. */
export interface FrameOutput {
  readonly stdout: NodeJS.WriteStream;
  /** Whether the screen that is up is the console's own, and not the shell's or another program's. */
  readonly isOwnScreen: () => boolean;
}

/**
 * The terminal as Ink writes to it. Ink passes over each line that has not changed with a sequence of
 * its own; here they become one, which over a slow link is a third of what a key press costs. With
 * `ascii` nothing else is let through, whoever wrote what is shown.
 */
export function frameOutput(
  stdout: NodeJS.WriteStream,
  options: {
    readonly ascii: boolean;
    /** Told when the console's own screen comes up again, before the first frame on it. */
    readonly onEnter?: () => void;
  } = { ascii: false },
): FrameOutput {
  // Left once more it would put the cursor where it was when the other screen was entered, over what
  // the shell has written since: Ink does that when it ends while it is suspended.
  let own: boolean | null = null;
  const leaving = () => {
    const again = own === false;
    own = false;
    return again ? "" : `\r\n${leaveScreen}`;
  };
  const shown = options.ascii ? asciiCells : (text: string) => text;
  const write = (chunk: string | Uint8Array, ...rest: []) => {
    if (typeof chunk === "string" && chunk.includes(enterScreen)) {
      own = true;
      options.onEnter?.();
    }
    const frame =
      typeof chunk === "string"
        ? shown(chunk)
            .replace(manyLinesDown, (run) => `\x1b[${run.length / oneLineDown}E`)
            .replace(leaveScreen, leaving)
            .replace(enterScreen, entering)
        : chunk;
    return stdout.write(frame, ...rest);
  };
  const proxy = new Proxy(stdout, {
    get(target, name) {
      if (name === "write") return write;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  return { stdout: proxy, isOwnScreen: () => own === true };
}
