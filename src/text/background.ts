/** The background of the terminal: dark or light. */
export type Background = "dark" | "light";

/**
 * The sequence that asks the terminal for its background color (OSC 11). Many terminals answer,
 * some never do.
 */
export const askBackground = "\x1b]11;?\x1b\\";

/** Terminals that never answer, or that print the question. */
const silent = /^(?:$|dumb|unknown|linux|vt\d+|ansi|cons25|screen)/;

interface TerminalEnv {
  readonly TERM?: string | undefined;
  readonly TMUX?: string | undefined;
  readonly COLORFGBG?: string | undefined;
  readonly COLORTERM?: string | undefined;
  readonly FORCE_COLOR?: string | undefined;
}

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
