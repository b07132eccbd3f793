/**
 * The values that replace the placeholders of a custom command or a note template, such as
 * `{import_supplier}`.
 */
import type { CustomCommand } from "./custom-command.ts";

/** The names of the values that are known on every screen. */
const commonNames = ["profile", "environment", "base_url", "screen", "now", "me"] as const;

/** The names of the values of one row, or of the item that a screen shows. */
const rowNames = [
  "import_supplier",
  "external_account_number",
  "external_identifier",
  "service_account_number",
  "status",
  "journal_id",
  "run",
] as const;

/** The name of the placeholder that becomes one argument for each marked row. */
export const markedNumbers = "external_account_numbers";

type RowValue = (typeof rowNames)[number];

/** The values of one row. Unknown values are absent. */
export type RowValues = { readonly [name in RowValue]?: string | undefined };

export const commandValues: readonly string[] = [...commonNames, ...rowNames];

/** The names that a command for marked rows can use. */
export const markedValues: readonly string[] = [...commonNames, "import_supplier", markedNumbers];

/** The values of placeholders by name. An unknown value is undefined. */
export type Values = Readonly<Record<string, string | undefined>>;

/** Returns the name in an argument that is only a placeholder, or null for any other text. */
function placeholderOf(text: string): string | null {
  return /^\{([a-z_]+)\}$/.exec(text)?.[1] ?? null;
}

/** Returns the first placeholder in a text that has one of the names, or null if there is none. */
export function findPlaceholder(text: string, names: readonly string[]): string | null {
  for (const [, name] of text.matchAll(/\{([a-z_]+)\}/g)) {
    if (name !== undefined && names.includes(name)) return name;
  }
  return null;
}

/** Returns the name of the user, for `{me}`. */
export function currentUser(env: Readonly<Record<string, string | undefined>>): string | undefined {
  return env.USER || env.LOGNAME || env.USERNAME || undefined;
}

/** A program whose placeholders are replaced, or the reason why it cannot be run. */
export type FilledIn =
  | {
      readonly kind: "ready";
      readonly program: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
    }
  | { readonly kind: "refused"; readonly words: string };

/** Maximum number of account numbers in the arguments, whose total length systems limit. */
export const maxArguments = 1_000;

/**
 * Replaces the placeholders in a program's arguments and environment. A value that cannot be an
 * argument, or that looks like an option, is not accepted, because values come from the service.
 * `numbers` has the account numbers of the marked rows.
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
    const texts = name === markedNumbers ? numbers : [values[name]];
    if (texts.length > maxArguments)
      return refused(`{${name}} can have at most ${maxArguments} numbers; mark fewer`);
    for (const value of texts) {
      const problem = problemOf(name, value, afterDashes);
      if (problem !== null) return refused(problem);
      args.push(value ?? "");
    }
  }
  const filledEnv: Record<string, string> = {};
  for (const [variable, text] of Object.entries(env)) {
    const name = placeholderOf(text);
    const value = name === null ? text : values[name];
    const problem = name === null ? null : problemOf(name, value, true);
    if (problem !== null) return refused(problem);
    filledEnv[variable] = value ?? "";
  }
  return { kind: "ready", program, args, env: filledEnv };
}

function refused(words: string): FilledIn {
  return { kind: "refused", words };
}

/** Returns the problem of the value of a placeholder, or null if there is none. */
function problemOf(name: string, value: string | undefined, canBeginWithDash: boolean) {
  if (value === undefined || value === "") return `{${name}} is not known here`;
  if (/\p{Cc}|\uFFFD/u.test(value) || !value.isWellFormed())
    return `{${name}} contains characters that an argument cannot have`;
  if (value.startsWith("-") && !canBeginWithDash)
    return `{${name}} begins with a dash and would be an option: put "--" before it in "run", or pass it in "env"`;
  return null;
}

/** Returns the names of the placeholders in a program's arguments and environment. */
export function placeholdersOf({
  argv,
  env,
}: Pick<CustomCommand, "argv" | "env">): readonly string[] {
  return [...argv.slice(1), ...Object.values(env)].flatMap((text) => placeholderOf(text) ?? []);
}
