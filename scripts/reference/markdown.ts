/** A Markdown table, with a line break at its end. Bars within cells are escaped. */
export function markdownTable(
  columns: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(columns), `|${columns.map(() => "---|").join("")}`, ...rows.map(line), ""].join(
    "\n",
  );
}
