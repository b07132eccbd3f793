import type { Command } from "commander";
import { usageError } from "./command-error.ts";

/** What Node puts in place of bytes that are not UTF-8; the bytes themselves are lost by then. */
const replacement = "\uFFFD";

/**
 * Refuses a command line or environment with bytes that are not UTF-8, as a Latin-1 terminal or
 * script gives them: another text than the one that was meant would be sent. Throws `usage`, naming
 * the flag, argument or variable.
 */
export function refuseUndecodable(
  command: Command,
  env: Readonly<Record<string, string | undefined>>,
): void {
  const found =
    undecodableOption(command) ?? undecodableArgument(command) ?? undecodableVariable(env);
  if (found === null) return;
  throw usageError(
    `${found} holds bytes that are not UTF-8, or the sign that stands for them (U+FFFD)`,
    "Nothing was sent. Use a terminal and scripts in UTF-8; text that must hold this sign can be given in a file.",
  );
}

function undecodableOption(command: Command): string | null {
  const options = command.options.find((one) => holds(command.getOptionValue(one.attributeName())));
  if (options !== undefined) return options.long ?? options.flags;
  return command.parent === null ? null : undecodableOption(command.parent);
}

function undecodableArgument({ args, registeredArguments }: Command): string | null {
  const at = args.findIndex(holds);
  if (at < 0) return null;
  const named = registeredArguments[at] ?? registeredArguments.at(-1);
  return named === undefined ? `argument ${at + 1}` : `<${named.name()}>`;
}

function undecodableVariable(env: Readonly<Record<string, string | undefined>>): string | null {
  const names = Object.keys(env).filter((name) => name.startsWith("SUPPLYLINE_"));
  return names.find((name) => holds(env[name])) ?? null;
}

function holds(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(holds);
  return typeof value === "string" && value.includes(replacement);
}
