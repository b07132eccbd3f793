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
  "█": "#",
  "▓": "?",
  "▒": "x",
  "░": "-",
  ...eachOf("▏▎▍▌▋▊▉", "="),
  // Charts, from the lowest.
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
 * Returns a text in ASCII, in exactly the same number of cells. A cell without an ASCII likeness
 * becomes a `?`. Control sequences stay.
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
