/** Replaces the signs of the screen by ASCII, for terminals without Unicode. */
import { graphemes } from "./width.ts";

/**
 * The ASCII replacements of signs, one cell for one cell. The signs of a chart stay different from
 * each other.
 */
const likenesses: Readonly<Record<string, string>> = {
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
  "━": "-",
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
  // Bars: done, in doubt, failed, their track, and the last partly filled cell.
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

function eachOf(signs: string, likeness: string): Readonly<Record<string, string>> {
  return Object.fromEntries(Array.from(signs, (sign) => [sign, likeness]));
}

/**
 * Returns a text in ASCII with exactly the same number of cells. A cell without a replacement
 * becomes a `?`. Control sequences stay.
 */
export function asciiCells(text: string): string {
  // The preceding ASCII character can be the first of a grapheme: a letter with its accent, a
  // keycap.
  const spaced = text.replace(/([≥≤]) /g, (_, sign: string) => `${likenesses[sign]}=`);
  return spaced.replace(/[\x20-\x7e]?[^\x00-\x7e]+/g, (run) =>
    graphemes(run)
      .map((one) =>
        isAscii(one.text) ? one.text : (likenesses[one.text] ?? "?".repeat(one.width)),
      )
      .join(""),
  );
}

function isAscii(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text);
}
