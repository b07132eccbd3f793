import { actionIds, bindingOf, keyLabel } from "../../src/keys/bindings.ts";

/** The key table as Markdown, by group, straight from the table that handles the keys. */
export function keyTable(): string {
  const groups = [...new Set(actionIds.map((id) => bindingOf(id).group))];
  const sections = groups.map((group) => {
    const rows = actionIds
      .map(bindingOf)
      .filter((binding) => binding.group === group)
      .map((binding) => {
        const names =
          binding.keys.length === 0 ? [`:${binding.label}`] : binding.keys.map(keyLabel);
        const keys = names.map((name) => `\`${name}\``).join(" ");
        return `| ${keys} | ${binding.help.replaceAll("|", "\\|")} |`;
      });
    return `## ${group}\n\n| keys | what they do |\n|---|---|\n${rows.join("\n")}\n`;
  });
  return `# Keys\n\nMade by \`npm run keys\` from \`src/keys/bindings.ts\`; the footer and \`?\` tell which of them work on the screen at hand.\n\n${sections.join("\n")}`;
}
