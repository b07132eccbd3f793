import { safe } from "./sanitise.ts";

/** The lines of a Markdown table; every cell is made safe. */
export function markdownTable(
  titles: readonly string[],
  rows: readonly (readonly string[])[],
): readonly string[] {
  const line = (cells: readonly string[]) => `| ${cells.map(markdownText).join(" | ")} |`;
  return [line(titles), `|${titles.map(() => " --- |").join("")}`, ...rows.map(line)];
}

/** Text that Markdown shows as it is, on one line; made safe. */
export function markdownText(text: string): string {
  return safe(text).replace(/[\\|<>&~*_`[\]]/g, "\\$&");
}
