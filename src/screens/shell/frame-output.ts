import { asciiCells } from "../../text/ascii-cells.ts";

const enterScreen = "\x1b[?1049h";
/** Leads back from the other screen; a terminal that has none stays where it is, in the last line. */
const leaveScreen = "\x1b[?1049l";

/** The cursor may stand behind a key that the terminal has echoed before it was ours. */
const entering = `${enterScreen}\r`;

/** "Cursor next line" (CNL), which mosh does not know: it draws one line over the other. */
const nextLines = /(?:\x1b\[E)+/g;
const nextLine = "\x1b[E".length;

/** To the start of the line `count` lines below, without scrolling: a line feed would at the edge. */
function linesDown(count: number): string {
  return count === 1 ? "\x1b[B\r" : `\x1b[${count}B\r`;
}

/** What Ink is given to write to. */
export interface FrameOutput {
  readonly stdout: NodeJS.WriteStream;
  /** Whether the screen that is up is the console's own, and not the shell's or another program's. */
  readonly isOwnScreen: () => boolean;
}

/**
 * The terminal as Ink writes to it. Ink passes over each unchanged line with one CNL; here a run of
 * them becomes "cursor down" and a carriage return, which every terminal knows, and which over a slow
 * link costs a third of the bytes. With `ascii` only ASCII passes, no matter who wrote the text.
 */
export function frameOutput(
  stdout: NodeJS.WriteStream,
  options: {
    readonly ascii: boolean;
    /** Called when the console's own screen comes up again, before the first frame on it. */
    readonly onEnter?: () => void;
  } = { ascii: false },
): FrameOutput {
  // Left a second time it would put the cursor where it was when the other screen was entered, over what
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
            .replace(nextLines, (run) => linesDown(run.length / nextLine))
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
