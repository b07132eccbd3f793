/** Stores the user's templates for the texts of notes. */
import * as z from "zod/mini";
import { AppError } from "../errors/app-error.ts";
import { corrupt, type JsonFileContent, jsonFile } from "./json-file.ts";

/** A named text that the user often writes in notes. */
const template = z.object({
  name: z.string(),
  /** The text with its placeholders, such as `{case}`. */
  text: z.string(),
});
const templates = z.array(template);

export type NoteTemplate = Readonly<z.output<typeof template>>;

/** The note templates of each profile. Every method can throw `exposed` and `corrupt`. */
export interface NoteTemplates {
  /** Returns the templates in the order in which they were added. */
  of(profile: string): readonly NoteTemplate[];
  /**
   * Adds a template. Throws `exists`, `invalid` for a name that cannot be used, and `unwritable`.
   */
  add(profile: string, template: NoteTemplate): void;
  /**
   * Removes a template. Throws `invalid` if there is no template of that name, and `unwritable`.
   */
  remove(profile: string, name: string): void;
  /** Removes all templates of a profile and returns their number. Throws `unwritable`. */
  removeAll(profile: string): number;
}

/** Maximum number of characters of a name, so that it fits into the lists. */
const maxNameLength = 40;

/** Opens the templates in `templates.json` of the settings folder. */
export function openNoteTemplates(configDir: string): NoteTemplates {
  const file = jsonFile(configDir, "templates");
  const of = (content: JsonFileContent, profile: string) => {
    const parsed = z.safeParse(templates, Object.hasOwn(content, profile) ? content[profile] : []);
    if (parsed.success) return parsed.data;
    throw corrupt(file.path, `has templates of ${profile} without a name or a text`);
  };
  return {
    of: (profile) => of(file.read(), profile),
    add(profile, template) {
      const problem = nameProblem(template.name);
      if (problem !== null)
        throw new AppError("settings", "invalid", `the name of the template ${problem}`);
      file.change((content) => {
        const existing = of(content, profile);
        if (existing.some(({ name }) => name === template.name))
          throw new AppError(
            "settings",
            "exists",
            `${profile} already has a template named ${template.name}`,
            { fix: `remove it first: supplyline templates remove ${template.name}` },
          );
        return { ...content, [profile]: [...existing, template] };
      });
    },
    remove(profile, name) {
      file.change((content) => {
        const existing = of(content, profile);
        const remaining = existing.filter((template) => template.name !== name);
        if (remaining.length === existing.length) throw unknownTemplate(profile, name, existing);
        return { ...content, [profile]: remaining };
      });
    },
    removeAll(profile) {
      const { length } = of(file.read(), profile);
      if (length > 0)
        file.change((content) =>
          Object.fromEntries(Object.entries(content).filter(([name]) => name !== profile)),
        );
      return length;
    },
  };
}

/** Returns the error for an unknown template name. It lists the templates of the profile. */
export function unknownTemplate(
  profile: string,
  name: string,
  templates: readonly NoteTemplate[],
): AppError<"settings"> {
  const known = templates.map((template) => template.name).join(", ");
  return new AppError(
    "settings",
    "invalid",
    `${profile} has no template named ${JSON.stringify(name)}${known === "" ? "" : `; there are ${known}`}`,
    { fix: "add it with: supplyline templates add NAME --body TEXT" },
  );
}

/** Returns the problem of a template's name, or null if it has none. */
function nameProblem(name: string): string | null {
  if (name.length > maxNameLength) return `has more than ${maxNameLength} characters`;
  return /^[\p{L}\p{N}][\p{L}\p{N}._-]*$/u.test(name)
    ? null
    : "must begin with a letter or digit, and have only letters, digits, dots, dashes and underscores";
}
