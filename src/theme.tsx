import { createContext, type ReactNode, useContext } from "react";
import type { Background } from "./text/background.ts";

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
  accent: { color: "cyan", bold: true },
  title: { bold: true },
  changed: { color: "yellow", bold: true },
};

/**
 * On a light ground green, yellow and cyan cannot be read in most terminals' colours, and what is
 * dimmed fades away; blue, magenta, red and the sixteen colours' grey can.
 */
const colouredOnLight: Record<Tone, TextStyle> = {
  ...coloured,
  ok: { color: "blue" },
  busy: { color: "magenta" },
  waiting: { color: "magenta" },
  muted: { color: "gray" },
  unknown: { color: "magenta", bold: true },
  accent: { color: "blue", bold: true },
  changed: { color: "magenta", bold: true },
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
export function createTheme(options: {
  readonly color: boolean;
  readonly ascii: boolean;
  /** Dark where nothing is said. */
  readonly background?: Background;
}): Theme {
  const { color, ascii, background = "dark" } = options;
  const onGround = background === "light" ? colouredOnLight : coloured;
  const styles = color ? onGround : colourless;
  return {
    color,
    ascii,
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
