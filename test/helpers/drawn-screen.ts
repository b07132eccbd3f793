import stringWidth from "string-width";

/** A screen in a box as wide as the terminal, for the message of a test that failed. */
export function drawnScreen(lines: readonly string[], cols: number, note: string | null): string {
  const body = lines.map((line) => {
    const gap = Math.max(0, cols - stringWidth(line, { countAnsiEscapeCodes: true }));
    return `│${line}${" ".repeat(gap)}│`;
  });
  const edge = "─".repeat(cols);
  const box = [`┌${edge}┐`, ...body, `└${edge}┘`].join("\n");
  return note ? `${box}\n(${note})` : box;
}
