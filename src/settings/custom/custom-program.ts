/** The destination of a command's output. */
type CommandOutput = (typeof commandOutputs)[number];
export const commandOutputs = ["notice", "pager", "terminal"] as const;

/** A command of the user's: a program with its arguments, never a line for a shell. */
export interface CustomCommand {
  /** The place of the command in the file, for messages: `commands.ticket`. */
  readonly entry: string;
  readonly name: string;
  /** The program and its arguments. An argument `{name}` stands for a value. */
  readonly argv: readonly string[];
  /** Variables added to the environment. A value `{name}` stands for a value. */
  readonly env: Readonly<Record<string, string>>;
  /** True if it is not run while writes are locked. */
  readonly writes: boolean;
  /** Milliseconds after which it is stopped. */
  readonly timeoutMs: number;
  /** The key as named by `keyName`, or null for a command that is in the palette only. */
  readonly key: string | null;
  /** The screens it works on, by the names of {@link commandScreens}. */
  readonly screens: readonly CommandScreen[];
  /** `one` for the row under the cursor, `marked` for all marked rows. */
  readonly rows: "one" | "marked";
  /** A sentence for the help and the palette. */
  readonly description: string;
  /** The question before the command runs, or null for none. `{name}` stands for a value. */
  readonly confirm: string | null;
  readonly output: CommandOutput;
}

/** The screens that a command can be for. */
export const commandScreens = [
  "suppliers",
  "overview",
  "cohort",
  "accounts",
  "account",
  "supply-point",
  "reconcile",
  "activity",
  "entry",
  "watch",
  "runs",
  "run",
] as const;
export type CommandScreen = (typeof commandScreens)[number];

/** The screens that have rows to mark. */
export const markingScreens: readonly CommandScreen[] = [
  "accounts",
  "reconcile",
  "activity",
  "watch",
];

/** The usable content of `commands.json`, and the issues of the rest. */
export interface CustomCommands {
  readonly path: string;
  readonly commands: readonly CustomCommand[];
  /** Sentences, each of which names the entry and the field. */
  readonly issues: readonly string[];
}
