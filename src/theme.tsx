/** Defines the colors and text styles of the console, and the theme that selects them. */
import { createContext, type ReactNode, useContext } from "react";
import type { Background } from "./text/osc.ts";

/**
 * The meaning of a piece of text. The theme decides its style. A color is only used for a state:
 * charts, tabs and sentences are plain.
 */
export type Tone =
  | "plain"
  | "ok"
  | "busy"
  | "waiting"
  /** In doubt. The style is that of `waiting`. */
  | "unknown"
  /** Failed, or production. */
  | "bad"
  /** The sign of production. */
  | "danger"
  | "muted"
  /** A key, or the sign of the cursor. */
  | "accent"
  | "title"
  | "changed";

interface TextStyle {
  readonly color?: string;
  readonly backgroundColor?: string;
  readonly dimColor?: boolean;
  readonly bold?: boolean;
  readonly inverse?: boolean;
}

interface Theme {
  /**
   * True if sentences are written in ASCII. All other signs are replaced by ASCII at the output,
   * cell by cell.
   */
  readonly ascii: boolean;
  readonly color: boolean;
  readonly cursor: string;
  /**
   * Returns the style of a text. `selected` is true on the line of the cursor, or "bar" for a bar
   * there. Default: false.
   */
  style(tone: Tone, selected?: boolean | "bar"): TextStyle;
}

/**
 * The styles for a dark or unknown background. The settings of the terminal define these named
 * colors. They are readable on a dark background, and on most others.
 */
const namedColors: Record<Tone, TextStyle> = {
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
 * The styles for a light background. The named colors green, yellow and cyan are unreadable there
 * in most terminals, and so is dimmed text. These are darker shades of the same colors.
 */
const shadesOnLight: Record<Tone, TextStyle> = {
  ...namedColors,
  ok: { color: "ansi256(28)" },
  busy: { color: "ansi256(30)" },
  waiting: { color: "ansi256(130)" },
  unknown: { color: "ansi256(130)" },
  muted: { color: "gray" },
};

/**
 * The styles for sixteen colors on a light background. Only red is readable there, so other states
 * differ by their signs. The tone `ok` is plain, so that the other states are prominent.
 */
const namedColorsOnLight: Record<Tone, TextStyle> = {
  ...namedColors,
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

const selectedShade: Readonly<Record<Background, string>> = {
  dark: "ansi256(237)",
  light: "ansi256(254)",
};

/**
 * Returns the style in bold, for the line of the cursor in a terminal without a shade. Bold text is
 * not dimmed.
 */
function boldStyle({ dimColor: _, ...style }: TextStyle): TextStyle {
  return { ...style, bold: true };
}

/**
 * Creates the theme for a terminal.
 */
export function createTheme(options: {
  readonly color: boolean;
  readonly ascii: boolean;
  /**
   * The background, or null if it is unknown. The colors for a dark background are then used.
   * Default: null.
   */
  readonly background?: Background | null;
  readonly shades?: boolean;
}): Theme {
  const { color, ascii, background = null, shades = false } = options;
  const onLight = shades ? shadesOnLight : namedColorsOnLight;
  const styles = color ? (background === "light" ? onLight : namedColors) : colorless;
  const shade = color && shades && background !== null ? selectedShade[background] : null;
  const selectedStyle = (style: TextStyle, isBar: boolean): TextStyle =>
    shade !== null ? { ...style, backgroundColor: shade } : isBar ? style : boldStyle(style);
  return {
    color,
    ascii,
    cursor: ascii ? ">" : "▌",
    style: (tone, selected = false) =>
      selected ? selectedStyle(styles[tone], selected === "bar") : styles[tone],
  };
}

const ThemeContext = createContext<Theme>(createTheme({ color: true, ascii: false }));

export function ThemeProvider(props: { readonly theme: Theme; readonly children: ReactNode }) {
  return <ThemeContext value={props.theme}>{props.children}</ThemeContext>;
}

export function useTheme(): Theme {
  return useContext(ThemeContext);
}
