import { graphemes } from "./width.ts";

/** Letters and signs that ASCII has a likeness of, one cell for one cell. */
const likenesses: Readonly<Record<string, string>> = {
  "…": "~",
  "–": "-",
  "—": "-",
  "─": "-",
  "│": "|",
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
};

/**
 * Text for a terminal that shows ASCII alone, in exactly as many cells: what has no likeness there is
 * a `?` for each cell. Control sequences stay as they are.
 */
export function asciiCells(text: string): string {
  // The character before may be the first of a grapheme: a letter with its accent, a keycap.
  return text.replace(/[\x20-\x7e]?[^\x00-\x7e]+/g, (run) =>
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
