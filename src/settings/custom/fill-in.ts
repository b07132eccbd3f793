/** Fills values into the arguments and environment of a custom command. */
import type { CustomCommand } from "./custom-program.ts";
import { markedNumbers, placeholderOf, type Values } from "./values.ts";

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
