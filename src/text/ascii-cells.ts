/** Replaces the signs of the screen by ASCII, for terminals without Unicode. */
import { graphemes } from "./width.ts";

const replacements: Readonly<Record<string, string>> = {
  "✓": "v",
  "✗": "x",
  "●": "*",
  "○": "o",
  "▲": "^",
  "▼": "v",
  "≥": ">",
  "≤": "<",
  "…": "~",
  "–": "-",
  "—": "-",
  "─": "-",
  // Bars as lines: the done part, its last half cell. Borders use the same sign.
  "━": "=",
  "╸": "-",
  "│": "|",
  "┃": "|",
  "‘": "'",
  "’": "'",
  "“": '"',
  "”": '"',
  "×": "x",
  "·": ".",
  "•": "*",
  "›": ">",
  "→": ">",
  "←": "<",
  "↑": "^",
  "↓": "v",
  "⟨": "<",
  "⟩": ">",
  "\u00a0": " ",
  ...eachOf("┌┐└┘┏┓┗┛╭╮╰╯", "+"),
  // Bars: a confirmed, unknown, failed and empty part, and the last partly filled cell.
  "█": "#",
  "▓": "?",
  "▒": "x",
  "░": "-",
  ...eachOf("▏▎▍▌▋▊▉", "="),
  // Charts, from the lowest step.
  "▁": "_",
  "▂": ":",
  "▃": "-",
  "▄": "=",
  "▅": "=",
  "▆": "#",
  "▇": "#",
};

function eachOf(signs: string, replacement: string): Readonly<Record<string, string>> {
  return Object.fromEntries(Array.from(signs, (sign) => [sign, replacement]));
}

/**
 * Returns a text in ASCII with exactly the same number of cells. A cell without a replacement
 * becomes a `?`. Control sequences stay.
 */
export function asciiCells(text: string): string {
  const comparisons = text.replace(/([≥≤]) /g, (_, sign: string) => `${replacements[sign]}=`);
  // A grapheme can begin with an ASCII character: a letter before its accent, or a keycap.
  return comparisons.replace(/[\x20-\x7e]?[^\x00-\x7e]+/g, (run) =>
    graphemes(run)
      .map(({ text: grapheme, width }) =>
        isAscii(grapheme) ? grapheme : (replacements[grapheme] ?? "?".repeat(width)),
      )
      .join(""),
  );
}

function isAscii(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text);
}
