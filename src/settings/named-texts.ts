/** Stores the short texts to which the user has given names: note templates and filters. */
import * as z from "zod/mini";
import { AppError } from "../errors/app-error.ts";
import { invalidSetting } from "./invalid-setting.ts";
import { corrupt, type JsonFileContent, jsonFile } from "./json-file.ts";

const namedText = z.object({ name: z.string(), text: z.string() });
const namedTexts = z.array(namedText);

export type NamedText = Readonly<z.output<typeof namedText>>;

export interface TextKind {
  readonly file: string;
  readonly noun: string;
  readonly removes: (name: string) => string;
  readonly adds: string;
}

/** The texts of one kind, by their owner. Every method can throw `exposed` and `corrupt`. */
export interface NamedTexts {
  of(owner: string): readonly NamedText[];
  /** Adds a text. Throws `exists`, `invalid` for a name that cannot be used, and `unwritable`. */
  add(owner: string, text: NamedText): void;
  /** Removes a text. Throws `invalid` if there is no text of that name, and `unwritable`. */
  remove(owner: string, name: string): void;
  /** Removes all texts of an owner and returns their number. Throws `unwritable`. */
  removeAll(owner: string): number;
}

/** Maximum number of characters of a name, so that it fits into the lists. */
const maxNameLength = 40;

/** Opens the texts of a kind in the settings folder. Nothing is read before the first call. */
export function openNamedTexts(configDir: string, kind: TextKind): NamedTexts {
  const file = jsonFile(configDir, kind.file);
  const of = (content: JsonFileContent, owner: string) => {
    const parsed = z.safeParse(namedTexts, Object.hasOwn(content, owner) ? content[owner] : []);
    if (parsed.success) return parsed.data;
    throw corrupt(file.path, `has ${kind.noun}s of ${owner} without a name or a text`);
  };
  return {
    of: (owner) => of(file.read(), owner),
    add(owner, added) {
      const problem = nameProblem(added.name);
      if (problem !== null) throw invalidSetting(`the name of the ${kind.noun} ${problem}`);
      file.change((content) => {
        const existing = of(content, owner);
        if (existing.some(({ name }) => name === added.name))
          throw new AppError(
            "settings",
            "exists",
            `${owner} already has a ${kind.noun} named ${added.name}`,
            { fix: kind.removes(added.name) },
          );
        return { ...content, [owner]: [...existing, added] };
      });
    },
    remove(owner, name) {
      file.change((content) => {
        const existing = of(content, owner);
        const remaining = existing.filter((text) => text.name !== name);
        if (remaining.length === existing.length) throw unknownName(kind, owner, name, existing);
        return { ...content, [owner]: remaining };
      });
    },
    removeAll(owner) {
      const { length } = of(file.read(), owner);
      if (length > 0)
        file.change((content) =>
          Object.fromEntries(Object.entries(content).filter(([name]) => name !== owner)),
        );
      return length;
    },
  };
}

export function unknownName(
  { noun, adds }: TextKind,
  owner: string,
  name: string,
  texts: readonly NamedText[],
): AppError<"settings"> {
  const known = texts.map((text) => text.name).join(", ");
  return invalidSetting(
    `${owner} has no ${noun} named ${JSON.stringify(name)}${known === "" ? "" : `; there are ${known}`}`,
    { fix: adds },
  );
}

function nameProblem(name: string): string | null {
  if (name.length > maxNameLength) return `has more than ${maxNameLength} characters`;
  return /^[\p{L}\p{N}][\p{L}\p{N}._-]*$/u.test(name)
    ? null
    : "must begin with a letter or digit, and have only letters, digits, dots, dashes and underscores";
}
