import { type Argument, Command } from "commander";
import { nearest } from "../text/suggest.ts";
import { CommandError } from "./command-error.ts";
import { exitHelp } from "./exit-words.ts";
import { examples, type Frame, type Noun } from "./frame.ts";
import { addGlobalOptions } from "./global-options.ts";

/** What help and version are written with. */
export interface Terminal {
  readonly version: string;
  readonly stdout: Written;
  readonly stderr: Written;
}

interface Written {
  /** Of the terminal, where it is one. */
  readonly columns?: number;
  write(text: string): unknown;
}

/** The whole command line: the global options, every noun, and the console when there is none. */
export function programFor(io: Terminal, frame: Frame, nouns: readonly Noun[]): Command {
  const program = new Command("supplyline");
  program
    .description("A terminal console for an account and supply point data-import service.")
    .usage("[options] [command]")
    .version(io.version, "-V, --version", "print the version")
    .helpOption("-h, --help", "show help")
    .helpCommand("help [command]", "show help for a command")
    .configureHelp({
      showGlobalOptions: true,
      // Every command has options; the words go to its arguments, so that the lines fit.
      subcommandTerm: (command) => {
        const terms = command.registeredArguments.map(argumentTerm);
        return [command.name(), ...terms].join(" ");
      },
    })
    .configureOutput({
      writeOut: (text) => void io.stdout.write(text),
      writeErr: (text) => void io.stderr.write(text),
      // Errors are told once, by `main`.
      outputError: () => {},
      getOutHelpWidth: () => io.stdout.columns ?? 80,
      getErrHelpWidth: () => io.stderr.columns ?? 80,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .exitOverride()
    // Left-over words are looked at below, so that a mistyped command is called one.
    .allowExcessArguments()
    .allowUnknownOption()
    .addHelpText(
      "after",
      examples(
        "supplyline --sandbox                    # the console, on a service of its own",
        "supplyline open ACME EXT-0000001        # the console, at an account",
        "supplyline accounts status ACME EXT-0000001   # the same from a script",
      ),
    )
    .action(async (_options: unknown, command: Command) => {
      refuseLeftOver(program);
      await frame.run(command, async (invocation) => {
        const { openConsoleAt } = await import("./open/console-at.ts");
        return openConsoleAt(invocation, { kind: "home" });
      });
    });
  addGlobalOptions(program);
  for (const noun of nouns) noun(program, frame);
  program.addHelpText("after", () => exitHelp(""));
  for (const command of everyCommandBelow(program)) {
    command.allowExcessArguments(false).allowUnknownOption(false);
    if (command.commands.length === 0)
      command.addHelpText("after", () => exitHelp(commandPath(command)));
  }
  return program;
}

/** Its words after the program's name: `accounts list`. */
function commandPath(command: Command): string {
  const { parent } = command;
  return parent?.parent ? `${commandPath(parent)} ${command.name()}` : command.name();
}

/** How an argument stands in a list of commands. */
function argumentTerm(argument: Argument): string {
  const words = `${argument.name()}${argument.variadic ? "..." : ""}`;
  return argument.required ? `<${words}>` : `[${words}]`;
}

/**
 * Where to read on after a line that could not be understood: the help of the command that it names,
 * as far as it names one.
 */
export function helpHint(program: Command, words: readonly string[]): string {
  let command = program;
  for (const word of words) {
    if (word === "--") break;
    const below = command.commands.find((one) => one.name() === word);
    if (below !== undefined) command = below;
  }
  if (command === program) return "`supplyline --help` lists what there is.";
  const path = commandPath(command);
  const does = command.commands.length > 0 ? "lists what there is" : "has examples";
  return `\`supplyline ${path} --help\` ${does}.`;
}

function everyCommandBelow(command: Command): Command[] {
  return command.commands.flatMap((below) => [below, ...everyCommandBelow(below)]);
}

/** Words that no command took: the first is a command or an option that does not exist. */
function refuseLeftOver(program: Command): void {
  const [word] = program.args;
  if (word === undefined) return;
  const isOption = word.startsWith("-");
  const known = isOption
    ? program.options.flatMap((option) => option.long ?? [])
    : program.commands.map((command) => command.name());
  const meant = nearest(word, known);
  throw new CommandError(
    "usage",
    `there is no ${isOption ? "option" : "command"} ${JSON.stringify(word)}`,
    meant === null ? helpHint(program, []) : `Did you mean ${meant}?`,
  );
}
