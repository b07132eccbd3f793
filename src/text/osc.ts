/**
 * Creates terminal control sequences (OSC) that copy to the clipboard, show a notice, or ask for
 * the background color. They also work in tmux and GNU screen.
 */
import { truncate } from "./width.ts";

/**
 * The environment variables that identify the terminal, and the multiplexer between it and the
 * console.
 */
interface TerminalEnv {
  readonly TMUX?: string | undefined;
  readonly TERM?: string | undefined;
  readonly STY?: string | undefined;
  readonly COLORFGBG?: string | undefined;
  readonly COLORTERM?: string | undefined;
  readonly FORCE_COLOR?: string | undefined;
}

/** The maximum length of a text in base64. Terminals ignore longer clipboard sequences. */
const maxBase64 = 74_994;

/** The size of a piece for GNU screen in bytes. GNU screen accepts pieces of at most 768 bytes. */
const screenPieceBytes = 700;

const maxNotice = 200;

/** Terminals that print a sequence that they do not know, or that cannot show a notice. */
const PLAIN_TERMINALS = /^(?:dumb|unknown|linux|vt\d+|ansi|cons25)/;

export function mayHaveClipboard(env: TerminalEnv): boolean {
  return Boolean(env.TERM) && !PLAIN_TERMINALS.test(env.TERM ?? "");
}

/**
 * Returns the sequence that copies text to the clipboard of the user's terminal (OSC 52), or null
 * if the text is too long for terminals. The terminal does not report success.
 *
 * In tmux the sequence is sent twice: to tmux (its `set-clipboard on`) and through tmux to the
 * outer terminal (its `allow-passthrough on`), because either option can be off. GNU screen
 * receives the sequence in short pieces. If tmux and GNU screen are nested, the result
 * is the plain sequence and the one for GNU screen, because neither of them prints these.
 */
export function osc52(text: string, env: TerminalEnv): string | null {
  const payload = Buffer.from(text, "utf8").toString("base64");
  if (payload.length > maxBase64) return null;
  const sequence = `\u001b]52;c;${payload}\u0007`;
  const wrapped = throughMultiplexer(sequence, env);
  return isTmux(env) || isNested(env) ? sequence + wrapped : wrapped;
}

/**
 * Returns the bell and the sequence with which the terminal shows a notice outside its window (OSC
 * 9). tmux and GNU screen handle the bell. The notice passes through them to the outer terminal.
 * The text is sanitized. The notice never begins with a digit, because some terminals would read
 * that as another command.
 */
export function alertSequence(text: string, env: TerminalEnv): string {
  const bell = "\u0007";
  if (env.TERM === undefined || PLAIN_TERMINALS.test(env.TERM)) return bell;
  const notice = `\u001b]9;supplyline: ${truncate(text, maxNotice)}\u0007`;
  return bell + throughMultiplexer(notice, env);
}

function isTmux(env: TerminalEnv): boolean {
  return (env.TERM ?? "").startsWith("tmux") || ((env.TMUX ?? "") !== "" && !isNested(env));
}

/**
 * Returns true for tmux in GNU screen or GNU screen in tmux, which would print sequences for tmux.
 */
function isNested(env: TerminalEnv): boolean {
  return Boolean(env.TMUX) && Boolean(env.STY) && (env.TERM ?? "").startsWith("screen");
}

/**
 * Wraps a sequence so that it passes through a multiplexer. Without a multiplexer the sequence is
 * unchanged.
 */
function throughMultiplexer(sequence: string, env: TerminalEnv): string {
  if (isTmux(env)) return `\u001bPtmux;${sequence.replaceAll("\u001b", "\u001b\u001b")}\u001b\\`;
  if (!(env.TERM ?? "").startsWith("screen")) return sequence;
  let wrapped = "";
  for (let at = 0; at < sequence.length; at += screenPieceBytes) {
    wrapped += `\u001bP${sequence.slice(at, at + screenPieceBytes)}\u001b\\`;
  }
  return wrapped;
}

export type Background = "dark" | "light";

/** The sequence that asks the terminal for its background color (OSC 11). */
export const backgroundQuery = "\x1b]11;?\x1b\\";

/** Terminals that never answer a query, or that print it. */
const UNQUERYABLE_TERMINALS = /^(?:$|dumb|unknown|linux|vt\d+|ansi|cons25|screen)/;

/** Terminals that do not know the query for their attributes (DA1), and might print it. */
const UNNAMED_TERMINALS = /^(?:$|dumb|unknown|ansi|cons25)/;

export function hasAttributes({ TERM = "" }: TerminalEnv): boolean {
  return !UNNAMED_TERMINALS.test(TERM);
}

export function backgroundIn(env: TerminalEnv): Background | null {
  const colorIndex = /(?:^|;)(\d+)$/.exec(env.COLORFGBG ?? "")?.[1];
  if (colorIndex === undefined) return null;
  return colorIndex === "7" || Number(colorIndex) >= 9 ? "light" : "dark";
}

export function canQueryTerminal(env: TerminalEnv): boolean {
  return Boolean(env.TMUX) || !UNQUERYABLE_TERMINALS.test(env.TERM ?? "");
}

/**
 * Returns true if the terminal has 256 colors or more. A `FORCE_COLOR` of 0, 1, `true` or `false`
 * limits the terminal to sixteen.
 */
export function has256Colors(env: TerminalEnv): boolean {
  if (/^(?:0|1|true|false)$/.test(env.FORCE_COLOR ?? "")) return false;
  return /256|direct|kitty|ghostty/.test(env.TERM ?? "") || /./.test(env.COLORTERM ?? "");
}

export function backgroundOf(response: string): Background | null {
  const match = /^\x1b\]11;rgba?:([\da-f]{1,4})\/([\da-f]{1,4})\/([\da-f]{1,4})/i.exec(response);
  if (!match) return null;
  const [red = 0, green = 0, blue = 0] = match
    .slice(1)
    .map((part) => Number.parseInt(part, 16) / (16 ** part.length - 1));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.5 ? "light" : "dark";
}
