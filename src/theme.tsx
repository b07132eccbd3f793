import { createContext, type ReactNode, useContext } from "react";

/** What a piece of text means; the theme decides how that looks. */
export type Tone =
  | "plain"
  | "ok"
  | "busy"
  | "waiting"
  | "bad"
  | "danger"
  | "muted"
  | "unknown"
  | "accent"
  | "title"
  | "changed";

/** Style properties of Ink's Text, limited to what sixteen colours can show. */
export interface TextStyle {
  readonly color?: string;
  readonly dimColor?: boolean;
  readonly bold?: boolean;
  readonly inverse?: boolean;
}

/** Characters that have an ASCII stand-in. */
export interface Glyphs {
  readonly cursor: string;
  readonly mark: string;
  readonly separator: string;
  readonly rule: string;
  readonly ellipsis: string;
  readonly bullet: string;
  readonly up: string;
  readonly down: string;
  readonly spinner: readonly string[];
}

/** How this terminal is drawn on. */
export interface Theme {
  readonly ascii: boolean;
  readonly color: boolean;
  readonly glyphs: Glyphs;
  style(tone: Tone): TextStyle;
}

const unicodeGlyphs: Glyphs = {
  cursor: "▌",
  mark: "●",
  separator: "›",
  rule: "─",
  ellipsis: "…",
  bullet: "·",
  up: "▲",
  down: "▼",
  spinner: ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"],
};

const asciiGlyphs: Glyphs = {
  cursor: ">",
  mark: "*",
  separator: ">",
  rule: "-",
  ellipsis: "~",
  bullet: "-",
  up: "^",
  down: "v",
  spinner: ["|", "/", "-", "\\"],
};

const coloured: Record<Tone, TextStyle> = {
  plain: {},
  ok: { color: "green" },
  busy: { color: "cyan" },
  waiting: { color: "yellow" },
  bad: { color: "red" },
  danger: { color: "red", inverse: true, bold: true },
  muted: { dimColor: true },
  unknown: { color: "magenta" },
  accent: { color: "blue", bold: true },
  title: { bold: true },
  changed: { color: "yellow", bold: true },
};

const colourless: Record<Tone, TextStyle> = {
  plain: {},
  ok: {},
  busy: {},
  waiting: {},
  bad: { bold: true },
  danger: { inverse: true, bold: true },
  muted: {},
  unknown: {},
  accent: { bold: true },
  title: { bold: true },
  changed: { bold: true },
};

/** A theme for this terminal: colours unless asked not to, plain letters when asked to. */
export function createTheme(options: { color: boolean; ascii: boolean }): Theme {
  const styles = options.color ? coloured : colourless;
  return {
    ...options,
    glyphs: options.ascii ? asciiGlyphs : unicodeGlyphs,
    style: (tone) => styles[tone],
  };
}

const ThemeContext = createContext<Theme>(createTheme({ color: true, ascii: false }));

/** Gives everything below it one theme. */
export function ThemeProvider(props: { readonly theme: Theme; readonly children: ReactNode }) {
  return <ThemeContext value={props.theme}>{props.children}</ThemeContext>;
}

/** The theme in force. */
export function useTheme(): Theme {
  return useContext(ThemeContext);
}
