/** Measures, cuts, pads and wraps text by terminal cells. */
import stringWidth from "string-width";
import { safe, safeLines } from "./sanitize.ts";

interface FitOptions {
  /** True to replace signs by ASCII, with `~` instead of `…` at a cut. Default: false. */
  readonly ascii?: boolean | undefined;
  /**
   * The place of the cut: at the end, or in the middle, so that start and end stay. Default: `end`.
   */
  readonly where?: "end" | "middle" | undefined;
}

const PLAIN = /^[\x20-\x7e]*$/;

/**
 * A character class of regular expressions for characters that are always one cell wide. It
 * includes the signs that the console draws (letters, quotes, ellipsis, arrows, lines, bars), and
 * excludes emoji, combining characters and wide characters.
 */
export const narrow = String.raw`[ -~\u00A1-\u00A8\u00AA-\u00AC\u00AF-\u02FF\u2010-\u2027\u2030-\u203B\u2190-\u2193\u2200-\u22FF\u23CE\u2400-\u2426\u2500-\u25A9\u25B2-\u25B5\u25B7-\u25BF\u25C1-\u25FA\u2713\u2717\u276F\u27E8\u27E9\u2800-\u28FF]`;

/**
 * The grapheme segmenter. It is created on first use, because that takes longer than a frame and
 * most texts do not need it.
 */
const segmenter = lazily(() => new Intl.Segmenter());

interface Grapheme {
  readonly text: string;
  readonly width: number;
}

function lazily<T>(create: () => T): () => T {
  let value: T | undefined;
  return () => {
    value ??= create();
    return value;
  };
}

const onlyNarrow = new RegExp(`^${narrow}*$`);

export function segmentsOf(text: string): Pick<Intl.Segments, "containing"> {
  if (!onlyNarrow.test(text)) return segmenter().segment(text);
  return {
    containing: (at = 0) =>
      at >= 0 && at < text.length
        ? { segment: text.charAt(at), index: at, input: text }
        : undefined,
  };
}

export function graphemes(text: string): Grapheme[] {
  if (onlyNarrow.test(text))
    return Array.from(text, (character) => ({ text: character, width: 1 }));
  return Array.from(segmenter().segment(text), ({ segment }) => ({
    text: segment,
    width: stringWidth(segment),
  }));
}

export function widthOf(text: string): number {
  return stringWidth(text);
}

/**
 * Returns the width in cells of the widest of these texts after {@link safe}, or 0 without texts.
 */
export function widest(texts: readonly string[]): number {
  return texts.reduce((max, text) => Math.max(max, stringWidth(safe(text))), 0);
}

function take(parts: readonly Grapheme[], width: number, from: "start" | "end"): string {
  const order = from === "start" ? parts : parts.toReversed();
  const taken: string[] = [];
  let used = 0;
  for (const part of order) {
    if (used + part.width > width) break;
    used += part.width;
    taken.push(part.text);
  }
  return (from === "start" ? taken : taken.reverse()).join("");
}

/** A figure within a sentence, at its end. A part of it would be another figure. */
const lastFigure = /(?<=[\s(])[-\u2212+]?\d[\d.,]*$/;

function withoutPart(head: string, rest: string): string {
  return /^[.,]?\d/.test(rest) ? head.replace(lastFigure, "") : head;
}

/**
 * Cuts text to at most `width` cells and marks the cut. A grapheme is never split, and a figure
 * within a sentence is left out rather than shown in part. The text passes through {@link safe}, so
 * pass it without colors, and style the result.
 */
export function truncate(text: string, width: number, options: FitOptions = {}): string {
  const room = Math.floor(width);
  if (!(room > 0)) return "";
  // Some signs are longer in ASCII, so the text is replaced before it is measured.
  const shown = options.ascii ? plainWords(safe(text)) : safe(text);
  const mark = options.ascii ? "~" : "\u2026";
  const tailRoom = options.where === "middle" ? Math.floor((room - 1) / 2) : 0;
  const headRoom = room - 1 - tailRoom;
  if (PLAIN.test(shown)) {
    if (shown.length <= room) return shown;
    const head = withoutPart(shown.slice(0, headRoom), shown.slice(headRoom));
    return head + mark + shown.slice(shown.length - tailRoom);
  }
  if (stringWidth(shown) <= room) return shown;
  const parts = graphemes(shown);
  const head = take(parts, headRoom, "start");
  return withoutPart(head, shown.slice(head.length)) + mark + take(parts, tailRoom, "end");
}

/** Returns text in exactly `width` cells: cut by {@link truncate}, or padded with spaces. */
export function padOrTruncate(
  text: string,
  width: number,
  options: FitOptions & { readonly align?: "left" | "right" | undefined } = {},
): string {
  const room = Math.max(0, Math.floor(width));
  let shown = truncate(text, room, options);
  let missing = room - widthOf(shown);
  // Some letters join with a space that follows them, so the width is measured again.
  while (missing > 0) {
    const padding = " ".repeat(missing);
    shown = options.align === "right" ? padding + shown : shown + padding;
    missing = room - widthOf(shown);
  }
  return shown;
}

/**
 * Splits a word into pieces of at most `width` cells. The first piece has at most `firstWidth`
 * cells.
 */
function splitWord(word: string, firstWidth: number, width: number): Grapheme[] {
  const pieces: Grapheme[] = [];
  let text = "";
  let used = 0;
  let room = firstWidth;
  for (const part of graphemes(word)) {
    // A grapheme that is wider than a whole line is replaced by a mark.
    const piece = part.width > width ? { text: "\u2026", width: 1 } : part;
    if (used + piece.width > room) {
      pieces.push({ text, width: used });
      text = "";
      used = 0;
      room = width;
    }
    text += piece.text;
    used += piece.width;
  }
  pieces.push({ text, width: used });
  return pieces;
}

function wrapLine(line: string, width: number): string[] {
  if (widthOf(line) <= width) return [line];
  const lines: string[] = [];
  let current = "";
  let used = 0;
  let gap = "";
  for (const token of line.split(/( +)/)) {
    if (token === "") continue;
    if (token.startsWith(" ")) {
      gap = token;
      continue;
    }
    const size = widthOf(token);
    // An indentation that fills the whole line is left out.
    const space = lines.length === 0 && current === "" && gap.length >= width ? "" : gap;
    gap = "";
    if (used + space.length + size <= width) {
      current += space + token;
      used += space.length + size;
      continue;
    }
    if (size <= width && current.trim() !== "") {
      lines.push(current);
      current = token;
      used = size;
      continue;
    }
    const start = used + space.length < width ? current + space : null;
    if (start === null && current !== "") lines.push(current);
    const [head, ...rest] = splitWord(token, width - (start === null ? 0 : widthOf(start)), width);
    current = (start ?? "") + (head?.text ?? "");
    for (const piece of rest) {
      if (current.trim() !== "") lines.push(current);
      current = piece.text;
    }
    used = widthOf(current);
  }
  if (current !== "") lines.push(current);
  return lines;
}

/**
 * Wraps text to lines of at most `width` cells: at spaces, and within a word only if the word is
 * longer than a line. Line breaks and the indentation of lines stay. The text passes through {@link
 * safeLines}. Returns no lines for a width below one.
 */
export function wrap(text: string, width: number): string[] {
  const room = Math.floor(width);
  if (!(room > 0)) return [];
  return safeLines(text)
    .split("\n")
    .flatMap((line) => wrapLine(line, room));
}

const asciiSigns: Readonly<Record<string, string>> = {
  "…": "...",
  "–": "-",
  "×": "x",
  "≥": ">=",
  "≤": "<=",
  "→": "->",
};

export function plainWords(text: string): string {
  return text.replace(/[…–×≥≤→]/g, (sign) => asciiSigns[sign] ?? sign);
}
