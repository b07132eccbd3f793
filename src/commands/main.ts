/** Executes one command line of the program, and reports its error and exit code. */

import { type Command, CommanderError } from "commander";
import type { AppError } from "../errors/app-error.ts";
import { formatStack } from "../errors/fault-words.ts";
import { log } from "../log/log.ts";
import { readSecrets } from "../settings/secrets.ts";
import { safe } from "../text/sanitize.ts";
import { correctTimeZone } from "../text/zones.ts";
import { usageError } from "./command-error.ts";
import { helpHint, programFor } from "./command-line.ts";
import { createCommandRunner, type RunnerWithExitCode } from "./command-runner.ts";
import { commands, namedIn } from "./commands.ts";
import { endingCodes, exitCode } from "./exit-codes.ts";
import { failureOf, formatFailure } from "./failure.ts";
import { wantsJson } from "./global-options.ts";
import { Ended, endingOf, type Io } from "./io.ts";

/**
 * Executes one command line and resolves with its exit code. `words` excludes the names of Node and
 * of the program. Results are on stdout, everything else is on stderr. Never rejects.
 */
export async function main(words: readonly string[], io: Io): Promise<number> {
  const line: { runner?: RunnerWithExitCode } = {};
  const code = await execute(words, io, line);
  const notice = line.runner?.endLog(code);
  if (notice) io.stderr.write(`supplyline: ${safe(notice)}\n`);
  return code;
}

async function execute(
  words: readonly string[],
  io: Io,
  begun: { runner?: RunnerWithExitCode },
): Promise<number> {
  let program: Command | null = null;
  try {
    const secrets = readSecrets(io.env);
    const zoneNotice = correctTimeZone(io.env);
    rejectUnverifiedTls(io.env);
    const runner = createCommandRunner(io, secrets, zoneNotice);
    begun.runner = runner;
    const line = withHelpOption(words);
    program = await programFor(io, runner, needsCommands(line) ? line : null);
    await program.parseAsync(line, { from: "user" });
    return runner.exitCode();
  } catch (thrown) {
    const isExcess =
      thrown instanceof CommanderError && thrown.code === "commander.excessArguments";
    const hint = program === null ? "" : helpHint(program, words, isExcess);
    const line = { words, hint };
    return isPluginCheck(words)
      ? reportToMonitoring(thrown, line, io)
      : reportError(thrown, line, io);
  }
}

/**
 * Converts `help accounts list` to `accounts list --help`, because commander's help accepts a
 * single word.
 */
function withHelpOption(words: readonly string[]): string[] {
  const [first, ...path] = words;
  const isLong = first === "help" && path.length > 1 && path.every((word) => !word.startsWith("-"));
  return isLong ? [...path, "--help"] : [...words];
}

/**
 * Returns true if the words name a command or request help. Otherwise the console is opened, and
 * declaring every command would delay its first frame.
 */
function needsCommands(words: readonly string[]): boolean {
  return words.some((word) => !word.startsWith("-") || word === "--" || /^-\w*h|^--h/.test(word));
}

interface FailedLine {
  readonly words: readonly string[];
  readonly hint: string;
}

function reportError(thrown: unknown, { words, hint }: FailedLine, io: Io): number {
  // In raw mode, the Ctrl-C key throws `Ended` without a signal.
  const ending = thrown instanceof Ended ? thrown : endingOf(io.signal);
  if (ending !== null) return endingCodes[ending.kind];
  if (thrown instanceof CommanderError && thrown.exitCode === 0) return exitCode.done;
  // Commander has already printed the help for a missing verb.
  if (thrown instanceof CommanderError && thrown.code === "commander.help") return exitCode.usage;
  const failure = failureOf(thrown instanceof CommanderError ? usageErrorOf(thrown, hint) : thrown);
  io.stderr.write(formatFailure(failure, wantsJson(words)));
  const isFault = failure.kind === "fault" && thrown instanceof Error;
  log({ event: "failure", kind: failure.kind, stack: isFault ? formatStack(thrown) : null });
  if (isFault && io.env.SUPPLYLINE_DEBUG === "1") {
    io.stderr.write(formatStack(thrown));
  }
  return failure.exitCode;
}

/** Returns true if a monitoring system reads the output, which must be one line for any error. */
function isPluginCheck(words: readonly string[]): boolean {
  const end = words.indexOf("--");
  const options = end === -1 ? words : words.slice(0, end);
  const [command] = namedIn(words, commandNames);
  return command === "check" && options.includes("--plugin");
}

const commandNames = commands.map(({ name }) => name);

async function reportToMonitoring(thrown: unknown, { hint }: FailedLine, io: Io): Promise<number> {
  const isHelp = thrown instanceof CommanderError && thrown.exitCode === 0;
  if (isHelp) return exitCode.done;
  const { pluginFailure } = await import("./check/plugin.ts");
  const isEnded = endingOf(io.signal) !== null;
  const failure = isEnded
    ? { message: "The check was ended before it was done." }
    : failureOf(thrown instanceof CommanderError ? usageErrorOf(thrown, hint) : thrown);
  const { line, exitCode: code } = pluginFailure(failure);
  io.stdout.write(`${line}\n`);
  return code;
}

function usageErrorOf(error: CommanderError, hint: string): AppError<"command"> {
  const message = error.message.replace(/^error: /, "").replace(/\s*\n\s*/g, " ");
  return usageError(message, hint);
}

function rejectUnverifiedTls(env: Io["env"]): void {
  if (env.NODE_TLS_REJECT_UNAUTHORIZED !== "0") return;
  throw usageError(
    "NODE_TLS_REJECT_UNAUTHORIZED=0 would send secrets over unverified connections",
    "Unset it. To trust your own certificate authority, set NODE_EXTRA_CA_CERTS to its file.",
  );
}
