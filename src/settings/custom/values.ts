/**
 * The values that replace the placeholders of a custom command or a note template, such as
 * `{import_supplier}`.
 */
import type { CustomCommand } from "./custom-command.ts";

const commonNames = ["profile", "environment", "base_url", "screen", "now", "me"] as const;

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

export type RowValues = { readonly [name in RowValue]?: string | undefined };

export const commandValues: readonly string[] = [...commonNames, ...rowNames];

export const markedValues: readonly string[] = [...commonNames, "import_supplier", markedNumbers];

export type Values = Readonly<Record<string, string | undefined>>;

function placeholderOf(text: string): string | null {
  return /^\{([a-z_]+)\}$/.exec(text)?.[1] ?? null;
}

export function findPlaceholder(text: string, names: readonly string[]): string | null {
  for (const [, name] of text.matchAll(/\{([a-z_]+)\}/g)) {
    if (name !== undefined && names.includes(name)) return name;
  }
  return null;
}

export function currentUser(env: Readonly<Record<string, string | undefined>>): string | undefined {
  return env.USER || env.LOGNAME || env.USERNAME || undefined;
}

export type FilledIn =
  | {
      readonly kind: "ready";
      readonly program: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
    }
  | { readonly kind: "refused"; readonly words: string };

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

function problemOf(name: string, value: string | undefined, canBeginWithDash: boolean) {
  if (value === undefined || value === "") return `{${name}} is not known here`;
  if (/\p{Cc}|\uFFFD/u.test(value) || !value.isWellFormed())
    return `{${name}} contains characters that an argument cannot have`;
  if (value.startsWith("-") && !canBeginWithDash)
    return `{${name}} begins with a dash and would be an option: put "--" before it in "run", or pass it in "env"`;
  return null;
}

export function placeholdersOf({
  argv,
  env,
}: Pick<CustomCommand, "argv" | "env">): readonly string[] {
  return [...argv.slice(1), ...Object.values(env)].flatMap((text) => placeholderOf(text) ?? []);
}
