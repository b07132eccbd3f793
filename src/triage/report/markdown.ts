import { safeLines } from "../../text/sanitise.ts";
import { markdownTable, markdownText } from "../../text/table.ts";
import type { Block } from "./blocks.ts";

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
      // A fence inside the text must not end it.
      const longest = Math.max(0, ...Array.from(lines.matchAll(/`+/g), ([run]) => run.length));
      const fence = "`".repeat(Math.max(3, longest + 1));
      return `${fence}sh\n${lines}\n${fence}`;
    }
  }
}
