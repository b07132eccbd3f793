import { actionIds, bindingOf, keyLabel } from "../../src/keys/bindings.ts";
import { editingIds, editingOf } from "../../src/keys/editing.ts";

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
  const edits = table(editingIds.map(editingOf).map(row));
  return `# Keys

Made by \`npm run keys\` from the tables in \`src/keys\`; the footer and \`?\` tell which of them work on the screen at hand.

${sections.join("\n")}
## Edit text

These keys work in every text field, filter line, prompt and in the palette, and go to the text before anything else. GNU screen takes \`Ctrl-A\` for itself: use \`Home\` there.

${edits}`;
}

interface Row {
  readonly keys: readonly string[];
  readonly label?: string;
  readonly help: string;
}

/** What has no key is reached by its name in the palette. */
function row(binding: Row): string {
  const { label = "" } = binding;
  const names = binding.keys.length === 0 ? [`:${label}`] : binding.keys.map(keyLabel);
  const keys = names.map((name) => `\`${name}\``).join(" ");
  return `| ${keys} | ${binding.help.replaceAll("|", "\\|")} |`;
}

function table(rows: readonly string[]): string {
  return `| keys | what they do |\n|---|---|\n${rows.join("\n")}\n`;
}
