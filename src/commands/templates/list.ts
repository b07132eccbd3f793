import { type NoteTemplate, openNoteTemplates } from "../../settings/note-templates.ts";
import { needTarget } from "../find-target.ts";
import { type Column, column } from "../rows/columns.ts";
import { printRows } from "../rows/print.ts";
import type { Verb } from "../verb.ts";

const templateColumns: readonly Column<NoteTemplate>[] = [
  column("name", "text", "The template."),
  column("text", "text", "The text, with placeholders."),
];

export const verb: Verb = {
  description: "the note templates of a profile",
  columns: templateColumns,
  async run(invocation) {
    const { profile } = needTarget(invocation);
    const templates = openNoteTemplates(invocation.folders.configDir).of(profile.name);
    await printRows(invocation, templateColumns, templates);
    if (templates.length === 0)
      invocation.notice(
        `${profile.name} has no template. Add one with: supplyline templates add NAME --body TEXT`,
      );
  },
  exits: [0, 2, 3],
  examples: ["supplyline templates list", "supplyline templates list --json"],
};
