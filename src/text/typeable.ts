import { safe } from "./sanitise.ts";

const isShown = (text: string) => safe(text) === text;

/**
 * Text as one line to type, without what a field cannot show as it is, and how many characters that
 * were; line breaks and tabs become spaces. A mark stays with the letter it stands on: alone it would
 * be nothing to show, and many scripts write no word without one.
 */
export function typeable(text: string): { readonly text: string; readonly removed: number } {
  const line = text.replace(/\r\n?|\n|\t/g, " ");
  if (isShown(line)) return { text: line, removed: 0 };
  let kept = "";
  let removed = 0;
  for (const { segment } of new Intl.Segmenter().segment(line)) {
    if (isShown(segment)) {
      kept += segment;
      continue;
    }
    let part = "";
    for (const character of segment) {
      if (isShown(part + character)) part += character;
      else removed++;
    }
    kept += part;
  }
  return { text: kept, removed };
}

/** The same for a text of several lines: its line breaks become `\n`, and its tabs stay. */
export function typeableLines(text: string): { readonly text: string; readonly removed: number } {
  let kept = "";
  let removed = 0;
  for (const part of text.replace(/\r\n?/g, "\n").split(/([\n\t])/)) {
    const line = part === "\n" || part === "\t" ? { text: part, removed: 0 } : typeable(part);
    kept += line.text;
    removed += line.removed;
  }
  return { text: kept, removed };
}
