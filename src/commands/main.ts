/** Executes one command line of the program, and reports its error and exit code. */

import { type Command, CommanderError } from "commander";
import type { AppError } from "../errors/app-error.ts";
import { formatStack } from "../errors/fault-words.ts";
import { readSecrets } from "../settings/secrets.ts";
import { correctTimeZone } from "../text/zones.ts";
import { usageError } from "./command-error.ts";
import { commands, namedIn } from "./commands.ts";
import { endingCodes, exitCode } from "./exit-codes.ts";
import { failureOf, formatFailure } from "./failure.ts";
import { frameFor } from "./frame.ts";
import { wantsJson } from "./global-options.ts";
import { Ended, endingOf, type Io } from "./io.ts";
import { helpHint, programFor } from "./program.ts";

/**
 * Executes one command line and resolves with its exit code. `words` excludes the names of Node and
 * of the program. Results are on stdout, everything else is on stderr. Never rejects.
 */
export async function main(words: readonly string[], io: Io): Promise<number> {
  let program: Command | null = null;
  try {
    const secrets = readSecrets(io.env);
    const zoneNotice = correctTimeZone(io.env);
    refuseUnsafe(io.env);
    const frame = frameFor(io, secrets, zoneNotice);
    const line = lineOf(words);
    program = await programFor(io, frame, namesACommand(line) ? line : null);
    await program.parseAsync(line, { from: "user" });
    return frame.exitCode();
  } catch (thrown) {
    const isExcess =
      thrown instanceof CommanderError && thrown.code === "commander.excessArguments";
    const hint = program === null ? "" : helpHint(program, words, isExcess);
    const how = { words, hint };
    return isPluginCheck(words) ? explainToMonitoring(thrown, how, io) : explain(thrown, how, io);
  }
}

/**
 * Converts `help accounts list` to `accounts list --help`, because commander's help accepts a
 * single word.
 */
function lineOf(words: readonly string[]): string[] {
  const [first, ...of] = words;
  const isLong = first === "help" && of.length > 1 && of.every((word) => !word.startsWith("-"));
  return isLong ? [...of, "--help"] : [...words];
}

/**
 * Returns true if the words name a command or request help. Otherwise the console is opened, and
 * declaring every command would delay its first frame.
 */
function namesACommand(words: readonly string[]): boolean {
  return words.some((word) => !word.startsWith("-") || word === "--" || /^-\w*h|^--h/.test(word));
}

/** The words of the command line, and a hint for an invalid one. */
interface Explained {
  readonly words: readonly string[];
  readonly hint: string;
}

/** Reports an error and returns its exit code. */
function explain(thrown: unknown, { words, hint }: Explained, io: Io): number {
  // In raw mode, Ctrl-C is a key. It throws `Ended` without a signal.
  const ending = thrown instanceof Ended ? thrown : endingOf(io.signal);
  if (ending !== null) return endingCodes[ending.kind];
  if (thrown instanceof CommanderError && thrown.exitCode === 0) return exitCode.done;
  // Commander has already printed the help for a missing verb.
  if (thrown instanceof CommanderError && thrown.code === "commander.help") return exitCode.usage;
  const failure = failureOf(thrown instanceof CommanderError ? usageOf(thrown, hint) : thrown);
  io.stderr.write(formatFailure(failure, wantsJson(words)));
  const isOurs = failure.kind === "fault" && thrown instanceof Error;
  if (isOurs && io.env.SUPPLYLINE_DEBUG === "1") {
    io.stderr.write(formatStack(thrown));
  }
  return failure.exitCode;
}

/** Returns true if a monitoring system reads the output, which must be one line for any error. */
function isPluginCheck(words: readonly string[]): boolean {
  const end = words.indexOf("--");
  const options = end === -1 ? words : words.slice(0, end);
  const [command] = namedIn(words, names);
  return command === "check" && options.includes("--plugin");
}

const names = commands.map(({ name }) => name);

async function explainToMonitoring(thrown: unknown, how: Explained, io: Io): Promise<number> {
  const isHelp = thrown instanceof CommanderError && thrown.exitCode === 0;
  if (isHelp) return exitCode.done;
  const { pluginFailure } = await import("./check/plugin.ts");
  const ended = endingOf(io.signal) !== null;
  const failure = ended
    ? { message: "The check was ended before it was done." }
    : failureOf(thrown instanceof CommanderError ? usageOf(thrown, how.hint) : thrown);
  const { line, exitCode: code } = pluginFailure(failure);
  io.stdout.write(`${line}\n`);
  return code;
}

function usageOf(error: CommanderError, hint: string): AppError<"command"> {
  const message = error.message.replace(/^error: /, "").replace(/\s*\n\s*/g, " ");
  return usageError(message, hint);
}

function refuseUnsafe(env: Io["env"]): void {
  if (env.NODE_TLS_REJECT_UNAUTHORIZED !== "0") return;
  throw usageError(
    "NODE_TLS_REJECT_UNAUTHORIZED=0 would send secrets over unverified connections",
    "Unset it. To trust your own certificate authority, set NODE_EXTRA_CA_CERTS to its file.",
  );
}
