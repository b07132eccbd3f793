/** Formats a report as an HTML page. */
import { safe, safeLines } from "../../text/sanitise.ts";
import type { Block } from "./blocks.ts";

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
