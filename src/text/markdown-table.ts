import { safe } from "./sanitise.ts";

/** Returns the lines of a Markdown table. Every cell is made safe. */
export function markdownTable(
  titles: readonly string[],
  rows: readonly (readonly string[])[],
): readonly string[] {
  const line = (cells: readonly string[]) => `| ${cells.map(markdownText).join(" | ")} |`;
  return [line(titles), `|${titles.map(() => " --- |").join("")}`, ...rows.map(line)];
}

/** Returns a text with Markdown's signs escaped, on one line and safe for a terminal. */
export function markdownText(text: string): string {
  return safe(text).replace(/[\\|<>&~*_`[\]]/g, "\\$&");
}
