import { actionIds, bindingOf } from "../../src/keys/bindings.ts";
import { editingIds, editingOf } from "../../src/keys/editing.ts";
import { keyLabel } from "../../src/keys/key-name.ts";
import { markdownTable } from "./markdown.ts";

/** The key table as Markdown, by group, straight from the table that handles the keys. */
export function keyTable(): string {
  const groups = [...new Set(actionIds.map((id) => bindingOf(id).group))];
  const sections = groups.map((group) => {
    const rows = actionIds
      .map(bindingOf)
      .filter((binding) => binding.group === group)
      .map(row);
    return `## ${group}\n\n${table(rows)}`;
  });
  return `# Keys

Generated from the tables in \`src/keys\` (\`npm run keys\`). The footer of a screen and \`?\` (\`F1\` in a form) show the keys
that work there. You can [change keys](../how-to/terminal.md#use-your-own-keys) in \`keymap.json\`.

${sections.join("\n")}
## Edit text

These keys work in every text field, filter line, prompt and in the palette, and go to the text before anything else.
GNU screen takes \`Ctrl-A\` for itself: use \`Home\` there.

${table(editingIds.map(editingOf).map(row))}`;
}

interface Row {
  readonly keys: readonly string[];
  readonly label?: string;
  readonly help: string;
}

/** An action without a key is run by its name in the palette. */
function row(binding: Row): readonly string[] {
  const { label = "" } = binding;
  const names = binding.keys.length === 0 ? [`:${label}`] : binding.keys.map(keyLabel);
  return [names.map((name) => `\`${name}\``).join(" "), binding.help];
}

function table(rows: readonly (readonly string[])[]): string {
  return markdownTable(["Keys", "Action"], rows);
}
