import { createContext, type ReactNode, useContext } from "react";
import type { Background } from "./text/background.ts";

/**
 * The meaning of a piece of text; the theme decides how that looks. A color is a state and nothing else:
 * charts, tabs and sentences are plain.
 */
export type Tone =
  | "plain"
  /** Done. */
  | "ok"
  /** In progress. */
  | "busy"
  | "waiting"
  /** In doubt: looks like what waits. */
  | "unknown"
  /** Failed, or production. */
  | "bad"
  /** The sign of production. */
  | "danger"
  /** Text that no one must read. */
  | "muted"
  /** A key, or the sign of the cursor. */
  | "accent"
  | "title"
  | "changed";

/** Style properties of Ink's Text. */
interface TextStyle {
  readonly color?: string;
  readonly backgroundColor?: string;
  readonly dimColor?: boolean;
  readonly bold?: boolean;
  readonly inverse?: boolean;
}

/** Characters that have an ASCII stand-in. */
interface Glyphs {
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
interface Theme {
  readonly ascii: boolean;
  readonly color: boolean;
  readonly glyphs: Glyphs;
  /** The style of a text; `selected` on the line of the cursor. Default: false. */
  style(tone: Tone, selected?: boolean): TextStyle;
}

const unicodeGlyphs: Glyphs = {
  cursor: "▌",
  mark: "*",
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

/** By what the terminal's user chose for the sixteen names: readable on dark, and on most others. */
const named: Record<Tone, TextStyle> = {
  plain: {},
  ok: { color: "green" },
  busy: { color: "cyan" },
  waiting: { color: "yellow" },
  bad: { color: "red" },
  danger: { color: "red", inverse: true, bold: true },
  unknown: { color: "yellow" },
  muted: { dimColor: true },
  accent: { bold: true },
  title: { bold: true },
  changed: { bold: true },
};

/**
 * On a light background the names for green, yellow and cyan cannot be read in most terminals, and
 * dimmed text fades away: darker shades of the same colors, so that each keeps its one meaning.
 */
const shadesOnLight: Record<Tone, TextStyle> = {
  ...named,
  ok: { color: "ansi256(28)" },
  busy: { color: "ansi256(30)" },
  waiting: { color: "ansi256(130)" },
  unknown: { color: "ansi256(130)" },
  muted: { color: "gray" },
};

/**
 * Sixteen colors on a light background: red can be read, the others leave their state to the glyph.
 * A state that is done is plain, so that the others stand out.
 */
const namedOnLight: Record<Tone, TextStyle> = {
  ...named,
  ok: {},
  busy: { bold: true },
  waiting: { bold: true },
  unknown: { bold: true },
  muted: { color: "gray" },
};

const colorless: Record<Tone, TextStyle> = {
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

/** The shade behind the line of the cursor. */
const selectedShade: Readonly<Record<Background, string>> = {
  dark: "ansi256(237)",
  light: "ansi256(254)",
};

/** Without a shade the line of the cursor is bold, next to its sign: a dimmed text cannot be. */
function inBold({ dimColor: _, ...style }: TextStyle): TextStyle {
  return { ...style, bold: true };
}

/** A theme for this terminal: colors unless asked not to, plain letters when asked to. */
export function createTheme(options: {
  readonly color: boolean;
  readonly ascii: boolean;
  /** The background; null if it is not known, and the colors are then those for a dark one. Default: null. */
  readonly background?: Background | null;
  /** Whether the terminal has 256 colors; false by default. */
  readonly shades?: boolean;
}): Theme {
  const { color, ascii, background = null, shades = false } = options;
  const onLight = shades ? shadesOnLight : namedOnLight;
  const styles = color ? (background === "light" ? onLight : named) : colorless;
  const shade = color && shades && background !== null ? selectedShade[background] : null;
  const whenSelected = (style: TextStyle): TextStyle =>
    shade === null ? inBold(style) : { ...style, backgroundColor: shade };
  return {
    color,
    ascii,
    glyphs: options.ascii ? asciiGlyphs : unicodeGlyphs,
    style: (tone, selected = false) => (selected ? whenSelected(styles[tone]) : styles[tone]),
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
