const signs: Readonly<Record<string, string>> = {
  "…": "...",
  "–": "-",
  "×": "x",
  "≥": ">=",
  "≤": "<=",
  "→": "->",
};

/** Returns a text with the program's own signs in ASCII. Letters of other scripts stay. */
export function plainWords(text: string): string {
  return text.replace(/[…–×≥≤→]/g, (sign) => signs[sign] ?? sign);
}
