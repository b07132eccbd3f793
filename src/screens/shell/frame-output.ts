/** The terminal output for Ink, which reduces each frame to its change from the last one. */
import { asciiCells } from "../../text/ascii-cells.ts";
import { at, changeOf, type Lines } from "./frame-change.ts";

const enterScreen = "\x1b[?1049h";
/**
 * Leaves the alternate screen. A terminal without an alternate screen ignores this sequence, so
 * `leaving` clears the screen first.
 */
const leaveScreen = "\x1b[?1049l";

/**
 * Enters the alternate screen with the cursor in the first column, because the terminal might have
 * echoed a key before.
 */
const entering = `${enterScreen}\r`;
const leaving = `\x1b[H\x1b[J${leaveScreen}`;

/**
 * Match the sequences around a frame of Ink. Ink moves from the visible cursor to the last line of
 * the previous frame, erases that frame line by line, writes the new frame, and moves the cursor
 * to its position.
 */
const frameStart =
  /^(?<hidden>\x1b\[\?25l)?(?:(?:\x1b\[\d+B)?\x1b\[1G)?(?<erased>\x1b\[2K(?:\x1b\[1A\x1b\[2K)*\x1b\[G)?/;
const frameEnd = /(?:\x1b\[\d+A)?\x1b\[\d*G\x1b\[\?25h$/;

/** The sequences around one frame of Ink, between which the terminal draws nothing. */
const frameBegin = "\x1b[?2026h";
const frameFinish = "\x1b[?2026l";

/**
 * Matches sequences of modes, such as synchronized drawing or the visible cursor. They do not
 * change the content of the screen.
 */
const mode = /^(?:\x1b\[\?\d+[hl])*$/;

const otherControls = /[^\P{Cc}\n\x1b]|\x1b(?!\[[\d;]*m)/u;

const scrollless = /^(?:ansi|vt52|vt10\d|sun|cygwin|cons25|wy|hp|adm)/;

export interface FrameOutput {
  readonly stdout: NodeJS.WriteStream;
  /** Returns true if the visible screen is the console's, and no other program's. */
  readonly isOwnScreen: () => boolean;
}

interface FrameOptions {
  readonly ascii?: boolean;
  readonly term?: string | undefined;
  /** Called when the console's screen is visible again, before its first frame. */
  readonly onEnter?: () => void;
}

/**
 * Returns the output for Ink. Ink erases each frame and writes the whole next one. This output
 * writes only the change between two frames if both fill the terminal, so that their first lines
 * are in the first row. All other output passes unchanged.
 */
export function frameOutput(stdout: NodeJS.WriteStream, options: FrameOptions = {}): FrameOutput {
  const scrolls = !scrollless.test(options.term ?? "");
  // True if the alternate screen is visible, or null before the first switch. Ink leaves the screen
  // a second time if it ends while it is suspended. That would restore the old cursor position, and
  // the shell would overwrite its later output.
  let isAlternate: boolean | null = null;
  /** The frame that is on the terminal, or null if it is unknown or does not fill the terminal. */
  let shown: { readonly lines: Lines; readonly columns: number } | null = null;
  const frameFrom = (chunk: string): string => {
    if (mode.test(chunk)) return chunk;
    const start = frameStart.exec(chunk);
    const end = frameEnd.exec(chunk)?.[0] ?? "";
    const text = chunk.slice(start?.[0].length ?? 0, chunk.length - end.length);
    // The chunk only moves or hides the cursor.
    if (text === "" && !start?.groups?.erased) return chunk;
    const { columns, rows } = stdout;
    const lines = text.split("\n");
    const before = shown;
    shown = lines.length === rows && !otherControls.test(text) ? { lines, columns } : null;
    if (!before || !shown || !start?.groups?.erased) return chunk;
    if (before.columns !== columns || before.lines.length !== rows) return chunk;
    const change = changeOf(before.lines, lines, { columns, scrolls });
    // Ink continues from the last line.
    return change === null
      ? chunk
      : `${start.groups.hidden ?? ""}${change}${at(rows - 1, 0)}${end}`;
  };
  const switchScreen = (chunk: string): string => {
    shown = null;
    if (chunk.includes(enterScreen)) {
      isAlternate = true;
      options.onEnter?.();
      return chunk.replace(enterScreen, entering);
    }
    const isAlreadyLeft = isAlternate === false;
    isAlternate = false;
    return chunk.replace(leaveScreen, isAlreadyLeft ? "" : leaving);
  };
  const convert = (chunk: string): string => {
    const text = options.ascii ? asciiCells(chunk) : chunk;
    const isSwitch = text.includes(enterScreen) || text.includes(leaveScreen);
    return isSwitch ? switchScreen(text) : frameFrom(text);
  };
  /** The part of the current frame that Ink has written, or null between two frames. */
  let pendingFrame: string | null = null;
  const flush = (): boolean => {
    const frame = pendingFrame;
    pendingFrame = null;
    return frame === null || stdout.write(frame);
  };
  // A frame is written in one call, because each call can become a separate network packet.
  const write = (chunk: string | Uint8Array, ...rest: []) => {
    if (typeof chunk !== "string" || rest.length > 0) {
      flush();
      return stdout.write(typeof chunk === "string" ? convert(chunk) : chunk, ...rest);
    }
    if (pendingFrame === null && chunk === frameBegin) {
      pendingFrame = "";
      // The frame is also written if Ink fails to draw it completely.
      queueMicrotask(flush);
    }
    if (pendingFrame === null) return stdout.write(convert(chunk));
    pendingFrame += convert(chunk);
    return chunk === frameFinish ? flush() : true;
  };
  return { stdout: withWrite(stdout, write), isOwnScreen: () => isAlternate === true };
}

export function withWrite(
  stdout: NodeJS.WriteStream,
  write: (chunk: string | Uint8Array, ...rest: []) => boolean,
): NodeJS.WriteStream {
  return new Proxy(stdout, {
    get(target, name) {
      if (name === "write") return write;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
