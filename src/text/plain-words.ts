const signs: Readonly<Record<string, string>> = {
  "…": "...",
  "–": "-",
  "×": "x",
  "≥": ">=",
  "≤": "<=",
  "→": "->",
};

/**
 * Replaces the program's own signs, such as `…` and `→`, by ASCII. Letters of other scripts stay.
 */
export function plainWords(text: string): string {
  return text.replace(/[…–×≥≤→]/g, (sign) => signs[sign] ?? sign);
}
