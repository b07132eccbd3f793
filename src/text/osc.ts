/**
 * Creates the terminal sequences that copy to the clipboard and show a notice, also through tmux and
 * GNU screen, and those that ask for the background color.
 */
import { truncate } from "./width.ts";

/**
 * The environment variables that identify the terminal, and the multiplexer between it and the
 * console.
 */
interface TerminalEnv {
  readonly TMUX?: string | undefined;
  readonly TERM?: string | undefined;
  /** The session of GNU screen, set by GNU screen. */
  readonly STY?: string | undefined;
  readonly COLORFGBG?: string | undefined;
  readonly COLORTERM?: string | undefined;
  readonly FORCE_COLOR?: string | undefined;
}

/**
 * The maximum length of a clipboard sequence. Terminals drop longer ones, some without a message.
 */
const maxBase64 = 74_994;

/**
 * The size of a piece for GNU screen, which accepts at most 768 bytes in one device control string.
 */
const SCREEN_CHUNK = 700;

/** The maximum length of a notice. A longer notice would be cut or fill the screen. */
const maxNotice = 200;

/** Terminals that print the unknown parts of a sequence, or cannot show a notice. */
const PLAIN_TERMINALS = /^(?:dumb|unknown|linux|vt\d+|ansi|cons25)/;

/** Returns true if the terminal might have a clipboard, as far as its name shows. */
export function mayHaveClipboard(env: TerminalEnv): boolean {
  return Boolean(env.TERM) && !PLAIN_TERMINALS.test(env.TERM ?? "");
}

/**
 * Returns the sequence that copies text to the clipboard of the user's terminal (OSC 52), or null
 * if the text is too long for terminals. The terminal does not report success.
 *
 * In tmux the sequence is sent twice: to tmux (its `set-clipboard on`) and through tmux to the
 * outer terminal (its `allow-passthrough on`), because either option can be off. GNU screen receives
 * it in short pieces. If tmux and GNU screen are nested in unknown order, the sequence is one that
 * neither prints.
 */
export function osc52(text: string, env: TerminalEnv): string | null {
  const payload = Buffer.from(text, "utf8").toString("base64");
  if (payload.length > maxBase64) return null;
  const sequence = `\u001b]52;c;${payload}\u0007`;
  const through = throughMultiplexer(sequence, env);
  return isTmux(env) || isEither(env) ? sequence + through : through;
}

/**
 * Returns the bell and the sequence with which the terminal shows a notice outside its window (OSC
 * 9). tmux and GNU screen handle the bell. The notice passes through them to the outer terminal.
 * The text is sanitized. It never begins with a digit, because some terminals would read that as
 * another command.
 */
export function alertSequence(text: string, env: TerminalEnv): string {
  const bell = "\u0007";
  if (env.TERM === undefined || PLAIN_TERMINALS.test(env.TERM)) return bell;
  const notice = `\u001b]9;supplyline: ${truncate(text, maxNotice)}\u0007`;
  return bell + throughMultiplexer(notice, env);
}

function isTmux(env: TerminalEnv): boolean {
  return (env.TERM ?? "").startsWith("tmux") || ((env.TMUX ?? "") !== "" && !isEither(env));
}

/**
 * Returns true for tmux in GNU screen or GNU screen in tmux, where sequences for tmux would be
 * drawn on the screen.
 */
function isEither(env: TerminalEnv): boolean {
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
  for (let at = 0; at < sequence.length; at += SCREEN_CHUNK) {
    wrapped += `\u001bP${sequence.slice(at, at + SCREEN_CHUNK)}\u001b\\`;
  }
  return wrapped;
}

/** The background of the terminal: dark or light. */
export type Background = "dark" | "light";

/**
 * The sequence that asks the terminal for its background color (OSC 11). Many terminals answer,
 * some never do.
 */
export const askBackground = "\x1b]11;?\x1b\\";

/** Terminals that never answer, or that print the question. */
const silent = /^(?:$|dumb|unknown|linux|vt\d+|ansi|cons25|screen)/;

/** Returns the background that the environment reports in COLORFGBG, or null if it reports none. */
export function backgroundIn(env: TerminalEnv): Background | null {
  const behind = /(?:^|;)(\d+)$/.exec(env.COLORFGBG ?? "")?.[1];
  if (behind === undefined) return null;
  return behind === "7" || Number(behind) >= 9 ? "light" : "dark";
}

/** Returns true if the terminal can be asked for its background color. */
export function canQueryTerminal(env: TerminalEnv): boolean {
  return Boolean(env.TMUX) || !silent.test(env.TERM ?? "");
}

/**
 * Returns true if the terminal has 256 colors or more. A `FORCE_COLOR` of 0, 1, `true` or `false`
 * limits it to sixteen.
 */
export function has256Colors(env: TerminalEnv): boolean {
  if (/^(?:0|1|true|false)$/.test(env.FORCE_COLOR ?? "")) return false;
  return /256|direct|kitty|ghostty/.test(env.TERM ?? "") || /./.test(env.COLORTERM ?? "");
}

/** Returns the background in a response to {@link askBackground}, or null for any other text. */
export function backgroundOf(answer: string): Background | null {
  const found = /^\x1b\]11;rgba?:([\da-f]{1,4})\/([\da-f]{1,4})\/([\da-f]{1,4})/i.exec(answer);
  if (!found) return null;
  const [red = 0, green = 0, blue = 0] = found
    .slice(1)
    .map((part) => Number.parseInt(part, 16) / (16 ** part.length - 1));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.5 ? "light" : "dark";
}
