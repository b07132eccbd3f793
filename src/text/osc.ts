import { truncate } from "./width.ts";

/** The variables that identify the terminal, and the multiplexer in front of it. */
interface TerminalEnv {
  readonly TMUX?: string | undefined;
  readonly TERM?: string | undefined;
  /** Set by GNU screen. */
  readonly STY?: string | undefined;
}

/** Terminals drop longer clipboard sequences, some without a word. */
const MOST_BASE64 = 74_994;

/** GNU screen keeps at most 768 bytes of one device control string. */
const SCREEN_CHUNK = 700;

/** Longer notices are cut by whatever shows them, or fill the screen. */
const MOST_NOTICE = 200;

/** Terminals that draw what they do not understand of a sequence, or have nothing to show it with. */
const PLAIN_TERMINALS = /^(?:dumb|unknown|linux|vt\d+|ansi|cons25)/;

/** Whether a terminal of this name may be sent a clipboard, judging by its name. */
export function mayHaveClipboard(env: TerminalEnv): boolean {
  return Boolean(env.TERM) && !PLAIN_TERMINALS.test(env.TERM ?? "");
}

/**
 * The sequence that puts text on the clipboard of the terminal the user sits at (OSC 52); null when
 * the text is longer than terminals take. Whether the terminal obeyed is unknown.
 *
 * In tmux it goes out twice: for tmux itself (its `set-clipboard on`) and through it to the terminal
 * outside (its `allow-passthrough on`), since either may be off. GNU screen gets it in short pieces;
 * one of them within the other, whose order is unknown, gets what neither shows.
 */
export function osc52(text: string, env: TerminalEnv): string | null {
  const payload = Buffer.from(text, "utf8").toString("base64");
  if (payload.length > MOST_BASE64) return null;
  const sequence = `\u001b]52;c;${payload}\u0007`;
  const through = throughMultiplexer(sequence, env);
  return isTmux(env) || isEither(env) ? sequence + through : through;
}

/**
 * The bell, and the sequence that has the terminal show a notice outside its window (OSC 9). In tmux
 * and GNU screen the bell is theirs to pass on, the notice goes through them to the terminal
 * outside. The text goes through the gate for untrusted text, and never begins with a digit, which
 * some terminals would take for another command.
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

/** tmux in GNU screen or GNU screen in tmux, which draws on the screen what is meant for tmux. */
function isEither(env: TerminalEnv): boolean {
  return Boolean(env.TMUX) && Boolean(env.STY) && (env.TERM ?? "").startsWith("screen");
}

/** The sequence as it reaches the terminal outside a multiplexer; without one, as it is. */
function throughMultiplexer(sequence: string, env: TerminalEnv): string {
  if (isTmux(env)) return `\u001bPtmux;${sequence.replaceAll("\u001b", "\u001b\u001b")}\u001b\\`;
  if (!(env.TERM ?? "").startsWith("screen")) return sequence;
  let wrapped = "";
  for (let at = 0; at < sequence.length; at += SCREEN_CHUNK) {
    wrapped += `\u001bP${sequence.slice(at, at + SCREEN_CHUNK)}\u001b\\`;
  }
  return wrapped;
}
