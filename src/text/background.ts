/** Whether a terminal shows its text on a dark or a light background. */
export type Background = "dark" | "light";

/** Asks the terminal for the color behind its text (OSC 11); many answer, some never do. */
export const askBackground = "\x1b]11;?\x1b\\";

/** Terminals that never answer, or show the question. */
const silent = /^(?:$|dumb|unknown|linux|vt\d+|ansi|cons25|screen)/;

interface TerminalEnv {
  readonly TERM?: string | undefined;
  readonly TMUX?: string | undefined;
  readonly COLORFGBG?: string | undefined;
  readonly COLORTERM?: string | undefined;
  readonly FORCE_COLOR?: string | undefined;
}

/** What the environment says: some terminals name their colors in COLORFGBG. Null when nothing. */
export function backgroundIn(env: TerminalEnv): Background | null {
  const behind = /(?:^|;)(\d+)$/.exec(env.COLORFGBG ?? "")?.[1];
  if (behind === undefined) return null;
  return behind === "7" || Number(behind) >= 9 ? "light" : "dark";
}

/** Whether the terminal may be asked. */
export function mayAnswer(env: TerminalEnv): boolean {
  return Boolean(env.TMUX) || !silent.test(env.TERM ?? "");
}

/** Whether the terminal has 256 colors or more; `FORCE_COLOR` from 0 to 1 limits it to sixteen. */
export function hasShades(env: TerminalEnv): boolean {
  if (/^(?:0|1|true|false)$/.test(env.FORCE_COLOR ?? "")) return false;
  return /256|direct|kitty|ghostty/.test(env.TERM ?? "") || /./.test(env.COLORTERM ?? "");
}

/** The background in an answer to {@link askBackground}; null when it is no such answer. */
export function backgroundOf(answer: string): Background | null {
  const found = /^\x1b\]11;rgba?:([\da-f]{1,4})\/([\da-f]{1,4})\/([\da-f]{1,4})/i.exec(answer);
  if (!found) return null;
  const [red = 0, green = 0, blue = 0] = found
    .slice(1)
    .map((part) => Number.parseInt(part, 16) / (16 ** part.length - 1));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.5 ? "light" : "dark";
}
