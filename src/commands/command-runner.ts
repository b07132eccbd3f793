/** Runs the command of a command line: checks its options and creates its invocation. */

import type { Command } from "commander";
import type { Secrets } from "../settings/secrets.ts";
import { usageError } from "./command-error.ts";
import { exitCode } from "./exit-codes.ts";
import { type AnyFormat, checkFormat, formats, globalOptionsOf } from "./global-options.ts";
import { createInvocation, type Invocation } from "./invocation.ts";
import type { Io } from "./io.ts";
import type { ProgramLog } from "./program-log.ts";
import { chosenColumns } from "./rows/columns.ts";
import type { Verb } from "./verb.ts";

export interface CommandRunner {
  /**
   * Runs the work of a command, or of the console without a verb. The exit code of the work becomes
   * the program's.
   */
  run(
    command: Command,
    work: (invocation: Invocation) => Promise<number | undefined>,
    verb?: Verb,
  ): Promise<void>;
}

export interface RunnerWithExitCode extends CommandRunner {
  exitCode(): number;
  /** Ends the log, if there is one. Returns a notice if it is incomplete, or null. */
  endLog(exitCode: number): string | null;
}

export function pathOf(command: Command): string {
  const { parent } = command;
  return parent?.parent ? `${pathOf(parent)} ${command.name()}` : command.name();
}

/** Creates the runner for one run of the program. A running command shows `zoneNotice` once. */
export function createCommandRunner(
  io: Io,
  secrets: Secrets,
  zoneNotice: string | null,
): RunnerWithExitCode {
  let code: number = exitCode.done;
  let programLog: ProgramLog | null = null;
  return {
    endLog: (lastCode) => programLog?.close(lastCode) ?? null,
    exitCode: () => code,
    async run(command, work, verb) {
      rejectUndecodable(command, io.env);
      const allowed = verb === undefined ? formats : formatsOf(verb);
      const globals = globalOptionsOf(command, allowed);
      if (verb !== undefined) {
        checkFormat(pathOf(command), globals, allowed);
        const columns = verb.columnsWith?.(command.opts()) ?? verb.columns ?? [];
        chosenColumns(columns, globals.columns);
      }
      // `complete` runs at each Tab and must not fail because of a log.
      const path =
        globals.log ?? (command.name() === "complete" ? "" : (io.env.SUPPLYLINE_LOG ?? ""));
      if (path !== "") {
        const { openProgramLog } = await import("./program-log.ts");
        const name = verb === undefined ? "console" : pathOf(command);
        programLog = openProgramLog(io, { path, command: name, secrets });
      }
      const sendsWrites = verb?.exits.includes(exitCode.unknownOutcome) ?? false;
      const invocation = createInvocation(io, globals, secrets, { zoneNotice, sendsWrites });
      if (zoneNotice !== null) invocation.progress(zoneNotice);
      code = (await work(invocation)) ?? exitCode.done;
      invocation.end();
    },
  };
}

function formatsOf({ columns, formats: declared }: Verb): readonly AnyFormat[] {
  return declared ?? (columns === undefined ? ["table", "json", "jsonl"] : formats);
}

/** The character with which Node replaces bytes that are not UTF-8. */
const replacement = "\uFFFD";

/**
 * Throws `usage` for a command line or environment with bytes that are not UTF-8, for example from
 * a Latin-1 terminal, because a different text would be sent. The error names the flag, argument or
 * variable.
 */
function rejectUndecodable(
  command: Command,
  env: Readonly<Record<string, string | undefined>>,
): void {
  const source =
    undecodableOption(command) ?? undecodableArgument(command) ?? undecodableVariable(env);
  if (source === null) return;
  throw usageError(
    `${source} contains bytes that are not UTF-8, or their replacement character (U+FFFD)`,
    "Nothing was sent. Use a terminal and scripts in UTF-8; text with this character can be given in a file.",
  );
}

function undecodableOption(command: Command): string | null {
  const option = command.options.find((candidate) =>
    hasReplacement(command.getOptionValue(candidate.attributeName())),
  );
  if (option !== undefined) return option.long ?? option.flags;
  return command.parent === null ? null : undecodableOption(command.parent);
}

function undecodableArgument({ args, registeredArguments }: Command): string | null {
  const index = args.findIndex(hasReplacement);
  if (index < 0) return null;
  const argument = registeredArguments[index] ?? registeredArguments.at(-1);
  return argument === undefined ? `argument ${index + 1}` : `<${argument.name()}>`;
}

function undecodableVariable(env: Readonly<Record<string, string | undefined>>): string | null {
  const names = Object.keys(env).filter((name) => name.startsWith("SUPPLYLINE_"));
  return names.find((name) => hasReplacement(env[name])) ?? null;
}

function hasReplacement(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasReplacement);
  return typeof value === "string" && value.includes(replacement);
}
