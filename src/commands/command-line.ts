import { type Argument, Command } from "commander";
import { nearest } from "../text/suggest.ts";
import { usageError } from "./command-error.ts";
import { type CommandRunner, pathOf } from "./command-runner.ts";
import { type CommandEntry, commands, namedIn } from "./commands.ts";
import { type ExitCode, exitCode } from "./exit-codes.ts";
import { addGlobalOptions } from "./global-options.ts";
import { addColumns, type Column } from "./rows/columns.ts";
import type { Verb } from "./verb.ts";

export interface HelpOutput {
  readonly version: string;
  readonly stdout: TextStream;
  readonly stderr: TextStream;
}

interface TextStream {
  /** Width of the terminal in cells. Absent if the output is no terminal. */
  readonly columns?: number;
  write(text: string): unknown;
}

/**
 * Creates the program with the global options and every command. A line without a command opens the
 * console. Loads only the verbs that `words` can name, or every verb for `all`. Declares no command
 * if `words` is null, because the declarations would delay the first frame of the console.
 */
export async function programFor(
  io: HelpOutput,
  runner: CommandRunner,
  words: readonly string[] | "all" | null,
): Promise<Command> {
  const program = new Command("supplyline");
  program
    .description("A terminal console for an account and supply point data-import service.")
    .usage("[options] [command]")
    .version(io.version, "-V, --version", "print the version")
    .helpOption("-h, --help", "show help")
    .helpCommand("help [command]", "show help for a command")
    .configureHelp({
      showGlobalOptions: true,
      // `[options]` is left out, because every command has options and the lines must fit.
      subcommandTerm: (command) => {
        const terms = command.registeredArguments.map(argumentTerm);
        return [command.name(), ...terms].join(" ");
      },
    })
    .configureOutput({
      writeOut: (text) => void io.stdout.write(text),
      writeErr: (text) => void io.stderr.write(text),
      // `main` reports errors, so that each is reported once.
      outputError: () => {},
      getOutHelpWidth: () => io.stdout.columns ?? 80,
      getErrHelpWidth: () => io.stderr.columns ?? 80,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .exitOverride()
    // Excess words are checked below, so that a mistyped command is reported as a command.
    .allowExcessArguments()
    .allowUnknownOption()
    .addHelpText(
      "after",
      examples([
        "supplyline --sandbox                    # the console, on a sandbox service",
        "supplyline EXT-0000001                  # finds an account at every supplier",
        "supplyline open ACME EXT-0000001        # the console, at an account",
        "supplyline accounts status ACME EXT-0000001   # the same from a script",
      ]),
    )
    .action(async (_options: unknown, command: Command) => {
      if (areNumbers(program)) {
        const { verb } = await import("./find/find.ts");
        const { findWords } = await import("./find/find-words.ts");
        await runner.run(command, (invocation) => findWords(invocation, program.args), verb);
        return;
      }
      rejectUnknownWord(program);
      await runner.run(command, async (invocation) => {
        const { openConsoleAt } = await import("./open/open.ts");
        return openConsoleAt(invocation, { kind: "home" });
      });
    });
  addGlobalOptions(program);
  const entries = words === null ? [] : commands;
  const named = words === "all" || words === null ? words : namedIn(words, names(commands));
  await Promise.all(
    entries.map(async (entry) => {
      const hidden = "load" in entry && entry.hidden === true;
      const command = program.command(entry.name, { hidden }).description(entry.summary);
      if (named === "all" || named?.includes(entry.name))
        await declare(command, entry, runner, words === "all" ? [] : (words ?? []));
      else if ("load" in entry && entry.arguments !== undefined) command.arguments(entry.arguments);
    }),
  );
  program.addHelpText("after", () => exitHelp(everyExit));
  program.addHelpText("after", learnMore);
  for (const command of subcommandsOf(program))
    command.allowExcessArguments(false).allowUnknownOption(false);
  return program;
}

const names = (entries: readonly CommandEntry[]) => entries.map(({ name }) => name);

/**
 * Loads and declares a command. For a noun, loads the verbs that the words name, or every verb if
 * they name none.
 */
async function declare(
  command: Command,
  entry: CommandEntry,
  runner: CommandRunner,
  words: readonly string[],
): Promise<void> {
  if ("load" in entry) return declareVerb(command, (await entry.load()).verb, runner);
  command.addHelpText("after", examples(entry.example));
  const verbNames = Object.keys(entry.verbs);
  const named = namedIn(words.slice(words.indexOf(entry.name) + 1), verbNames);
  const loaded = await Promise.all(
    Object.entries(entry.verbs)
      .filter(([name]) => named.length === 0 || named.includes(name))
      .map(async ([name, load]) => ({ name, verb: (await load()).verb })),
  );
  for (const { name, verb } of loaded) declareVerb(command.command(name), verb, runner);
}

function declareVerb(command: Command, verb: Verb, runner: CommandRunner): void {
  if (verb.description !== undefined) command.description(verb.description);
  verb.declare?.(command);
  if (verb.columns !== undefined) addColumns(command);
  verbs.set(command, verb);
  if (verb.examples.length > 0) command.addHelpText("after", examples(verb.examples));
  command
    .addHelpText("after", () => exitHelp(verb.exits))
    .action((...given) =>
      runner.run(command, (invocation) => verb.run(invocation, ...(given as never[])), verb),
    );
}

const verbs = new WeakMap<Command, Verb>();

/** Returns the exit codes of a command without faults of the program, or none for a noun. */
export function exitsOf(command: Command): readonly ExitCode[] {
  return verbs.get(command)?.exits ?? [];
}

export function columnsOf(command: Command): readonly Column[] | null {
  return verbs.get(command)?.columns ?? null;
}

function argumentTerm(argument: Argument): string {
  const name = `${argument.name()}${argument.variadic ? "..." : ""}`;
  return argument.required ? `<${name}>` : `[${name}]`;
}

/**
 * Returns a hint for an invalid command line: the help of the deepest command that the line names.
 * `isExcess` is true for a line with too many arguments.
 */
export function helpHint(program: Command, words: readonly string[], isExcess = false): string {
  let command = program;
  for (const word of words) {
    if (word === "--") break;
    const subcommand = command.commands.find((candidate) => candidate.name() === word);
    if (subcommand !== undefined) command = subcommand;
  }
  if (command === program) return "`supplyline --help` lists the commands.";
  const path = pathOf(command);
  const contents = command.commands.length > 0 ? "lists its commands" : "has examples";
  const help = `\`supplyline ${path} --help\` ${contents}.`;
  // Users often give the file as the last word, as in other programs.
  const file = isExcess
    ? command.options.find(({ long }) => fileOptions.includes(long))
    : undefined;
  return file === undefined ? help : `Name a file with ${file.long} FILE. ${help}`;
}

const fileOptions: readonly (string | undefined)[] = ["--source", "--from"];

function subcommandsOf(command: Command): Command[] {
  return command.commands.flatMap((subcommand) => [subcommand, ...subcommandsOf(subcommand)]);
}

/**
 * Returns true if the leftover words are account numbers to find: the first one has a digit and no
 * command has a similar name, and none is an option.
 */
function areNumbers(program: Command): boolean {
  const [word] = program.args;
  if (word === undefined || !/\d/.test(word)) return false;
  const isSimilar =
    nearest(
      word,
      program.commands.map((command) => command.name()),
    ) !== null;
  return !isSimilar && program.args.every((each) => !each.startsWith("-"));
}

/** Throws `usage` for a leftover word, which names a command or an option that does not exist. */
function rejectUnknownWord(program: Command): void {
  const [word] = program.args;
  if (word === undefined) return;
  const isOption = word.startsWith("-");
  const known = isOption
    ? program.options.flatMap((option) => option.long ?? [])
    : program.commands.map((command) => command.name());
  const suggestion = nearest(word, known);
  throw usageError(
    `there is no ${isOption ? "option" : "command"} ${JSON.stringify(word)}`,
    suggestion === null ? helpHint(program, []) : `Did you mean ${suggestion}?`,
  );
}

function examples(lines: readonly string[]): string {
  return ["", "Examples:", ...lines.map((line) => `  ${line}`)].join("\n");
}

const exitWords: Readonly<Record<ExitCode, string>> = {
  [exitCode.done]: "done",
  [exitCode.fault]: "a fault of the program",
  [exitCode.usage]: "usage, nothing sent",
  [exitCode.credentials]: "credentials",
  [exitCode.rejected]: "rejected",
  [exitCode.notFound]: "not found",
  [exitCode.unavailable]: "unavailable, no effect",
  [exitCode.unknownOutcome]: "OUTCOME UNKNOWN",
  [exitCode.watchTimedOut]: "timed out",
  [exitCode.otherFinalState]: "another final state",
  [exitCode.conditionMet]: "differences or condition met",
  [exitCode.hangUp]: "terminal gone",
  [exitCode.interrupted]: "interrupted",
};

const everyExit: readonly ExitCode[] = Object.values(exitCode).toSorted((a, b) => a - b);

const learnMore = `
Learn more:
  supplyline COMMAND --help, man supplyline; docs/README.md beside the program
  supplyline doctor names the remedy for a problem`;

const maxWidth = 78;

function exitHelp(codes: readonly ExitCode[]): string {
  const lines: string[] = [];
  for (const words of codes.map((code) => `${code} ${exitWords[code]}`)) {
    const last = lines.at(-1);
    if (last === undefined || `${last}; ${words}`.length > maxWidth) lines.push(`  ${words}`);
    else lines[lines.length - 1] = `${last}; ${words}`;
  }
  return ["", "Exit codes:", ...lines].join("\n");
}
