import { graphemes } from "./width.ts";

/**
 * Letters and signs that ASCII has a likeness of, one cell for one cell. Those of a chart differ
 * from each other as they do in Unicode.
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
  // Bars: done, in doubt, failed, their track, and the end of what is done.
  ...{ "█": "#", "▓": "?", "▒": "x", "░": "-" },
  ...eachOf("▏▎▍▌▋▊▉", "="),
  // Charts, from the lowest.
  ...{ "▁": "_", "▂": ":", "▃": "-", "▄": "=", "▅": "=", "▆": "#", "▇": "#" },
};

function eachOf(signs: string, likeness: string): Readonly<Record<string, string>> {
  return Object.fromEntries(Array.from(signs, (sign) => [sign, likeness]));
}

/**
 * Text for a terminal that shows ASCII alone, in exactly as many cells: what has no likeness there is
 * a `?` for each cell. Control sequences stay as they are.
 */
export function asciiCells(text: string): string {
  // The character before may be the first of a grapheme: a letter with its accent, a keycap.
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
