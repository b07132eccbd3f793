/**
 * The values that a custom command or a note template can name, as `{import_supplier}`. They are in
 * one list, so that a name has the same meaning everywhere.
 */
import type { CustomCommand } from "./custom-program.ts";

/** The names of the values that are known on every screen. */
const everywhere = ["profile", "environment", "base_url", "screen", "now", "me"] as const;

/** The names of the values of one row, or of the one item that a screen shows. */
const ofRow = [
  "import_supplier",
  "external_account_number",
  "external_identifier",
  "service_account_number",
  "status",
  "journal_id",
  "run",
] as const;

/** The placeholder of a command for marked rows. It becomes one argument for each of them. */
export const markedNumbers = "external_account_numbers";

type RowValue = (typeof ofRow)[number];

/** The values of one row. Unknown values are absent. */
export type RowValues = { readonly [name in RowValue]?: string | undefined };

/** The values that a command for one row can name. */
export const commandValues: readonly string[] = [...everywhere, ...ofRow];

/** The values that a command for marked rows can name. */
export const markedValues: readonly string[] = [...everywhere, "import_supplier", markedNumbers];

/** The values by name that fill in a command or a template. */
export type Values = Readonly<Record<string, string | undefined>>;

/** Returns the name in an argument that is only a placeholder, or null for any other text. */
function placeholderOf(text: string): string | null {
  return /^\{([a-z_]+)\}$/.exec(text)?.[1] ?? null;
}

/** Returns a placeholder of those names inside a longer argument, or null if there is none. */
export function insidePlaceholder(text: string, names: readonly string[]): string | null {
  for (const [, name] of text.matchAll(/\{([a-z_]+)\}/g)) {
    if (name !== undefined && names.includes(name)) return name;
  }
  return null;
}

/** Returns the name of the user, for `{me}`. */
export function currentUser(env: Readonly<Record<string, string | undefined>>): string | undefined {
  return env.USER || env.LOGNAME || env.USERNAME || undefined;
}

/** A program with all values filled in, or the reason why it cannot be run. */
export type FilledIn =
  | {
      readonly kind: "ready";
      readonly program: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
    }
  | { readonly kind: "refused"; readonly words: string };

/**
 * Maximum number of account numbers that are passed as arguments. Systems limit the length of all
 * arguments.
 */
export const maxArguments = 1_000;

/**
 * Puts values into a program's arguments and environment, each as a whole. Refuses a value that
 * cannot be an argument or that looks like an option, because values come from the service.
 */
export function filledIn(
  { argv, env }: Pick<CustomCommand, "argv" | "env">,
  values: Values,
  numbers: readonly string[] = [],
): FilledIn {
  const [program = "", ...rest] = argv;
  const args: string[] = [];
  let afterDashes = false;
  for (const word of rest) {
    const name = placeholderOf(word);
    if (name === null) {
      afterDashes ||= word === "--";
      args.push(word);
      continue;
    }
    const given = name === markedNumbers ? numbers : [values[name]];
    if (given.length > maxArguments)
      return refused(`{${name}} takes at most ${maxArguments} numbers; mark fewer`);
    for (const value of given) {
      const problem = problemOf(name, value, afterDashes);
      if (problem !== null) return refused(problem);
      args.push(value ?? "");
    }
  }
  const filled: Record<string, string> = {};
  for (const [variable, text] of Object.entries(env)) {
    const name = placeholderOf(text);
    const value = name === null ? text : values[name];
    const problem = name === null ? null : problemOf(name, value, true);
    if (problem !== null) return refused(problem);
    filled[variable] = value ?? "";
  }
  return { kind: "ready", program, args, env: filled };
}

function refused(words: string): FilledIn {
  return { kind: "refused", words };
}

function problemOf(name: string, value: string | undefined, mayBeginWithDash: boolean) {
  if (value === undefined || value === "") return `{${name}} is not known here`;
  if (/\p{Cc}|\uFFFD/u.test(value) || !value.isWellFormed())
    return `{${name}} contains characters that no argument can hold`;
  if (value.startsWith("-") && !mayBeginWithDash)
    return `{${name}} begins with a dash and would be an option: put "--" before it in "run", or give it in "env"`;
  return null;
}

/** Returns the names of the placeholders in a program's arguments and environment. */
export function namedIn({ argv, env }: Pick<CustomCommand, "argv" | "env">): readonly string[] {
  return [...argv.slice(1), ...Object.values(env)].flatMap((text) => placeholderOf(text) ?? []);
}
