/** Runs the command of a command line: checks its options and creates its invocation. */

import type { Command } from "commander";
import type { Secrets } from "../settings/secrets.ts";
import { usageError } from "./command-error.ts";
import { exitCode } from "./exit-codes.ts";
import { type AnyFormat, checkFormat, formats, globalOptionsOf } from "./global-options.ts";
import { beginInvocation, type Invocation } from "./invocation.ts";
import type { Io } from "./io.ts";
import { chosenColumns } from "./rows/columns.ts";
import type { Verb } from "./verb.ts";

/** Executes the command of a command line. */
export interface Frame {
  /**
   * Runs the work of a command, or of the console without a verb. Its exit code becomes the
   * program's.
   */
  run(
    command: Command,
    work: (invocation: Invocation) => Promise<number | undefined>,
    verb?: Verb,
  ): Promise<void>;
}

interface RunningFrame extends Frame {
  exitCode(): number;
}

/** Returns the words of a command after the program's name, such as `accounts list`. */
export function pathOf(command: Command): string {
  const { parent } = command;
  return parent?.parent ? `${pathOf(parent)} ${command.name()}` : command.name();
}

/** Creates a frame for one run of the program. The running command shows `zoneNotice` once. */
export function frameFor(io: Io, secrets: Secrets, zoneNotice: string | null): RunningFrame {
  let code: number = exitCode.done;
  return {
    exitCode: () => code,
    async run(command, work, verb) {
      refuseUndecodable(command, io.env);
      const allowed = verb === undefined ? formats : formatsOf(verb);
      const globals = globalOptionsOf(command, allowed);
      if (verb !== undefined) {
        checkFormat(pathOf(command), globals, allowed);
        const columns = verb.columnsWith?.(command.opts()) ?? verb.columns ?? [];
        chosenColumns(columns, globals.columns);
      }
      const sendsWrites = verb?.exits.includes(exitCode.unknownOutcome) ?? false;
      const invocation = beginInvocation(io, globals, secrets, { zoneNotice, sendsWrites });
      if (zoneNotice !== null) invocation.progress(zoneNotice);
      code = (await work(invocation)) ?? exitCode.done;
      invocation.end();
    },
  };
}

function formatsOf({ columns, formats: own }: Verb): readonly AnyFormat[] {
  return own ?? (columns === undefined ? ["table", "json", "jsonl"] : formats);
}

/** The character with which Node replaces bytes that are not UTF-8. */
const replacement = "\uFFFD";

/**
 * Throws `usage` for a command line or environment with bytes that are not UTF-8, for example from
 * a Latin-1 terminal, because a different text would be sent. The error names the flag, argument or
 * variable.
 */
function refuseUndecodable(
  command: Command,
  env: Readonly<Record<string, string | undefined>>,
): void {
  const found =
    undecodableOption(command) ?? undecodableArgument(command) ?? undecodableVariable(env);
  if (found === null) return;
  throw usageError(
    `${found} contains bytes that are not UTF-8, or their replacement character (U+FFFD)`,
    "Nothing was sent. Use a terminal and scripts in UTF-8; text with this character can be given in a file.",
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
