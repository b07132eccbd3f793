/** Stores the user's templates for the texts of notes, for each profile. */
import {
  type NamedText,
  type NamedTexts,
  openNamedTexts,
  type TextKind,
  unknownName,
} from "./named-texts.ts";

export type NoteTemplate = NamedText;

const templateKind: TextKind = {
  file: "templates",
  noun: "template",
  removes: (name) => `remove it first: supplyline templates remove ${name}`,
  adds: "add it with: supplyline templates add NAME --body TEXT",
};

/** Opens the templates in `templates.json` of the settings folder. Their owner is a profile. */
export function openNoteTemplates(configDir: string): NamedTexts {
  return openNamedTexts(configDir, templateKind);
}

export function unknownTemplate(
  profile: string,
  name: string,
  templates: readonly NoteTemplate[],
): ReturnType<typeof unknownName> {
  return unknownName(templateKind, profile, name, templates);
}
