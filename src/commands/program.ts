import { Command } from "commander";
import { nearest } from "../text/suggest.ts";
import { CommandError } from "./command-error.ts";
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
    .helpOption("-h, --help", "explain a command")
    .helpCommand("help [command]", "explain a command")
    .configureHelp({ showGlobalOptions: true })
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
        "supplyline --sandbox                    the console, on a service of its own",
        "supplyline open ACME EXT-0000001        the console, at an account",
        "supplyline accounts status ACME EXT-1   the same from a script",
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
  for (const command of everyCommandBelow(program)) {
    command.allowExcessArguments(false).allowUnknownOption(false);
  }
  return program;
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
    meant === null ? "`supplyline --help` lists what there is." : `Did you mean ${meant}?`,
  );
}
