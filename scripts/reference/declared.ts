import type { Argument, Command, Option } from "commander";
import { columnsOf, exitsOf, programFor } from "../../src/commands/command-line.ts";
import { choicesOf } from "../../src/commands/option-values.ts";
import type { Column } from "../../src/commands/rows/columns.ts";

/** A command as the program declares it, in the words of its own help. */
export interface Declared {
  /** Without the program's name: `accounts list`. */
  readonly path: string;
  /** With its arguments: `accounts list <supplier>`. */
  readonly usage: string;
  readonly description: string;
  /** Facts beyond its one line of help. */
  readonly facts: readonly string[];
  /** The arguments that its help explains. */
  readonly parameters: readonly Parameter[];
  readonly options: readonly Parameter[];
  /** Ascending; without 1, which any command can end with. */
  readonly exitCodes: readonly number[];
  /** The columns of the rows that it prints, or null if it prints none. */
  readonly columns: readonly Column[] | null;
  readonly examples: readonly string[];
}

/** An argument or an option. */
export interface Parameter {
  /** As it is typed: `--state <state>`. */
  readonly term: string;
  /** A sentence, unless it begins with a literal value. */
  readonly meaning: string;
  readonly required: boolean;
  /** As it is typed; null where the description has it, or there is none. */
  readonly byDefault: string | null;
}

/** The options of every command, and the commands that do something, in the order of the help. */
export interface Program {
  readonly globals: readonly Parameter[];
  readonly commands: readonly Declared[];
}

const noReadBack = "The service cannot show its outcome if the response is lost.";

const factsOf: Readonly<Record<string, readonly string[]>> = {
  "accounts list": ["Rows are printed while they arrive. The filter is that of the console."],
  "accounts status": ["A failed lookup does not stop the others: its row contains the error."],
  "notes create": ["This command writes."],
  "transactions create": [
    "This command writes. The service recognizes a transaction by its `transaction_id`.",
  ],
  "statements create": [`This command writes. ${noReadBack}`],
  "payment-instructions create": [`This command writes. ${noReadBack}`],
  "supply-points validate": ["This command writes nothing: the service only checks the payload."],
  "supply-points create": [
    "This command writes. The import starts afterward; `supplyline supply-points watch` follows it.",
  ],
  "bulk resume": ["This command writes the rows of the run that are left."],
  "activity verify": ["This command reads, or resends a request that the service recognizes."],
  "activity resend": ["This command writes: it sends the same bytes again."],
};

/** Declares the program and reads its own help. */
export async function declaredProgram(version: string): Promise<Program> {
  const silent = { write: () => true, columns: 80 };
  const program = await programFor(
    { version, stdout: silent, stderr: silent },
    { run: async () => {} },
    "all",
  );
  const leaves = everyCommand(program).filter((one) => one.commands.length === 0);
  return { globals: optionsOf(program), commands: leaves.map(declared) };
}

function everyCommand(command: Command): readonly Command[] {
  const below = command.createHelp().visibleCommands(command);
  return [command, ...below.filter((one) => one.name() !== "help").flatMap(everyCommand)];
}

function declared(command: Command): Declared {
  const path = pathOf(command).join(" ");
  return {
    path,
    usage: [path, ...command.registeredArguments.map(termOf)].join(" "),
    description: sentence(command.description()),
    facts: factsOf[path] ?? [],
    parameters: command.registeredArguments
      .filter(({ description }) => description !== "")
      .map((one) => ({ term: one.name(), required: one.required, ...meaningOf(one) })),
    options: optionsOf(command),
    exitCodes: exitsOf(command),
    columns: columnsOf(command),
    examples: sectionOf(helpOf(command), "Examples").map((line) => line.slice(2)),
  };
}

function pathOf(command: Command): readonly string[] {
  return command.parent === null ? [] : [...pathOf(command.parent), command.name()];
}

function termOf(one: Argument): string {
  const name = `${one.name()}${one.variadic ? "..." : ""}`;
  return one.required ? `<${name}>` : `[${name}]`;
}

function optionsOf(command: Command): readonly Parameter[] {
  return command
    .createHelp()
    .visibleOptions(command)
    .filter(({ long }: Option) => command.parent === null || long !== "--help")
    .map((option: Option) => ({
      term: option.flags,
      required: option.mandatory,
      ...meaningOf(option),
    }));
}

function meaningOf({
  description,
  parseArg,
  defaultValue,
  defaultValueDescription,
}: Option | Argument): Pick<Parameter, "meaning" | "byDefault"> {
  const [first = ""] = description.split(/[,\s]/, 1);
  // A literal value at the beginning stays as it is typed.
  const isLiteral = choicesOf(parseArg)?.includes(first) ?? false;
  const shown = defaultValueDescription ?? defaultValue;
  return {
    meaning: isLiteral ? description : sentence(description),
    byDefault: shown === undefined || typeof shown === "boolean" ? null : String(shown),
  };
}

function helpOf(command: Command): string {
  const pieces: string[] = [];
  command.configureOutput({ writeOut: (piece) => void pieces.push(piece) });
  command.outputHelp();
  return pieces.join("");
}

/** The lines below a heading of a help text. */
function sectionOf(help: string, heading: string): readonly string[] {
  const [, below = ""] = help.split(`\n${heading}:\n`);
  return (below.split("\n\n")[0] ?? "").trimEnd().split("\n");
}

function sentence(words: string): string {
  const first = words.charAt(0).toUpperCase() + words.slice(1);
  return first === "" || /[.!?]$/.test(first) ? first : `${first}.`;
}
