import { truncate } from "./width.ts";

/** The variables that identify the terminal, and the multiplexer in front of it. */
interface TerminalEnv {
  readonly TMUX?: string | undefined;
  readonly TERM?: string | undefined;
  /** Set by GNU screen. */
  readonly STY?: string | undefined;
}

/** Maximum length of a clipboard sequence. Terminals drop longer ones, some without a message. */
const MOST_BASE64 = 74_994;

/** Size of a piece for GNU screen, which accepts at most 768 bytes of one device control string. */
const SCREEN_CHUNK = 700;

/** Maximum length of a notice. A longer one would be cut or fill the screen. */
const MOST_NOTICE = 200;

/** Terminals that print the unknown parts of a sequence, or cannot show a notice. */
const PLAIN_TERMINALS = /^(?:dumb|unknown|linux|vt\d+|ansi|cons25)/;

/** Returns true if the name of a terminal does not rule out a clipboard. */
export function mayHaveClipboard(env: TerminalEnv): boolean {
  return Boolean(env.TERM) && !PLAIN_TERMINALS.test(env.TERM ?? "");
}

/**
 * Returns the sequence that puts text on the clipboard of the user's terminal (OSC 52), or null if
 * the text is too long for terminals. Success is unknown.
 *
 * In tmux it is sent twice: for tmux itself (its `set-clipboard on`) and through it to the outer
 * terminal (its `allow-passthrough on`), because either might be off. GNU screen gets it in short
 * pieces. One of them within the other, in unknown order, gets a sequence that neither shows.
 */
export function osc52(text: string, env: TerminalEnv): string | null {
  const payload = Buffer.from(text, "utf8").toString("base64");
  if (payload.length > MOST_BASE64) return null;
  const sequence = `\u001b]52;c;${payload}\u0007`;
  const through = throughMultiplexer(sequence, env);
  return isTmux(env) || isEither(env) ? sequence + through : through;
}

/**
 * Returns the bell and the sequence with which the terminal shows a notice outside its window (OSC
 * 9). tmux and GNU screen handle the bell; the notice passes through them to the outer terminal.
 * The text is sanitized, and never begins with a digit, which some terminals would read as another
 * command.
 */
export function alertSequence(text: string, env: TerminalEnv): string {
  const bell = "\u0007";
  if (env.TERM === undefined || PLAIN_TERMINALS.test(env.TERM)) return bell;
  const notice = `\u001b]9;supplyline: ${truncate(text, MOST_NOTICE)}\u0007`;
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

/** Wraps a sequence so that it passes through a multiplexer. Without one it is unchanged. */
function throughMultiplexer(sequence: string, env: TerminalEnv): string {
  if (isTmux(env)) return `\u001bPtmux;${sequence.replaceAll("\u001b", "\u001b\u001b")}\u001b\\`;
  if (!(env.TERM ?? "").startsWith("screen")) return sequence;
  let wrapped = "";
  for (let at = 0; at < sequence.length; at += SCREEN_CHUNK) {
    wrapped += `\u001bP${sequence.slice(at, at + SCREEN_CHUNK)}\u001b\\`;
  }
  return wrapped;
}
