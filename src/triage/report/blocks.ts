import { safe, safeLines } from "../../text/sanitize.ts";
import { markdownTable, markdownText } from "../../text/table.ts";

/**
 * A block of a report: heading, sentence, table or commands. Each output format has a writer for
 * it.
 */
export type Block =
  | { readonly kind: "heading"; readonly level: 1 | 2 | 3; readonly text: string }
  | { readonly kind: "text"; readonly text: string }
  | {
      readonly kind: "table";
      readonly titles: readonly string[];
      readonly rows: readonly (readonly string[])[];
    }
  | { readonly kind: "commands"; readonly commands: readonly string[] };

export const heading = (level: 1 | 2 | 3, text: string): Block => ({
  kind: "heading",
  level,
  text,
});

export const sentence = (text: string): Block => ({ kind: "text", text });

export function table(
  titles: readonly string[],
  rows: readonly (readonly string[])[],
): readonly Block[] {
  return rows.length === 0 ? [] : [{ kind: "table", titles, rows }];
}

/**
 * Returns a block of commands, or no block if there are none. Leaves out null, the result for a
 * command that a shell cannot run.
 */
export function commands(...lines: readonly (string | null)[]): readonly Block[] {
  const known = lines.filter((line) => line !== null);
  return known.length === 0 ? [] : [{ kind: "commands", commands: known }];
}

/**
 * Formats a report as Markdown. Escapes every text. Inserts blank lines only where Markdown needs
 * them, so that a chat message shows as much as possible.
 */
export function markdownOf(blocks: readonly Block[]): string {
  const lines = blocks.map((block, at) => {
    const before = blocks[at - 1];
    if (before === undefined) return markdownBlock(block);
    const isJoined =
      before.kind === "heading" ||
      block.kind === "commands" ||
      (before.kind === "text" && block.kind === "text");
    return `${isJoined ? "" : "\n"}${markdownBlock(block)}`;
  });
  return `${lines.join("\n")}\n`;
}

function markdownBlock(block: Block): string {
  switch (block.kind) {
    case "heading":
      return `${"#".repeat(block.level)} ${markdownText(block.text)}`;
    case "text":
      // Without the backslash, a line that begins with one of these would be a heading or a list.
      return markdownText(block.text).replace(/^(?=[#+-])/, "\\");
    case "table":
      return markdownTable(block.titles, block.rows).join("\n");
    case "commands": {
      const lines = block.commands.map(safeLines).join("\n");
      // A fence inside the text must not end the block.
      const longest = Math.max(0, ...Array.from(lines.matchAll(/`+/g), ([run]) => run.length));
      const fence = "`".repeat(Math.max(3, longest + 1));
      return `${fence}sh\n${lines}\n${fence}`;
    }
  }
}

/**
 * The content security policy. The page loads nothing, even if a text in the report contains
 * markup.
 */
const policy = "default-src 'none'; style-src 'unsafe-inline'";

const style = `
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
h1, h2, h3 { line-height: 1.2; margin: 1.6em 0 0.6em; }
table { border-collapse: collapse; display: block; overflow-x: auto; }
th, td { border: 1px solid #8888; padding: 0.25rem 0.6rem; text-align: left; vertical-align: top; }
pre { background: #8882; overflow-x: auto; padding: 0.6rem; }
`;

/** Formats a report as one page without external parts. Every text in it is escaped. */
export function htmlOf(title: string, blocks: readonly Block[]): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<style>${style}</style>
</head>
<body>
${blocks.map(htmlBlock).join("\n")}
</body>
</html>
`;
}

function htmlBlock(block: Block): string {
  switch (block.kind) {
    case "heading":
      return `<h${block.level}>${escaped(block.text)}</h${block.level}>`;
    case "text":
      return `<p>${escaped(block.text)}</p>`;
    case "table":
      return [
        "<table>",
        `<tr>${cells("th", block.titles)}</tr>`,
        ...block.rows.map((row) => `<tr>${cells("td", row)}</tr>`),
        "</table>",
      ].join("\n");
    case "commands":
      return `<pre><code>${escapedLines(block.commands.join("\n"))}</code></pre>`;
  }
}

function cells(tag: "th" | "td", texts: readonly string[]): string {
  return texts.map((text) => `<${tag}>${escaped(text)}</${tag}>`).join("");
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escaped(text: string): string {
  return withEntities(safe(text));
}

function escapedLines(text: string): string {
  return withEntities(safeLines(text));
}

function withEntities(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}
