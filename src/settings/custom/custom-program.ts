/** The definition of the user's custom commands, as `commands.json` configures them. */

/** The destination of a command's output. */
type CommandOutput = (typeof commandOutputs)[number];
export const commandOutputs = ["notice", "pager", "terminal"] as const;

/** A custom command of the user: a program with its arguments, never a line for a shell. */
export interface CustomCommand {
  /** The place of the command in the file, for messages: `commands.ticket`. */
  readonly entry: string;
  readonly name: string;
  /** The program and its arguments. A value replaces an argument `{name}`. */
  readonly argv: readonly string[];
  /** Variables added to the environment. A value replaces a variable's text `{name}`. */
  readonly env: Readonly<Record<string, string>>;
  /** True if the command cannot run while writes are locked. */
  readonly writes: boolean;
  /** Milliseconds after which the command is stopped. */
  readonly timeoutMs: number;
  /** The key as named by `keyName`, or null if only the palette runs the command. */
  readonly key: string | null;
  /** The screens that the command works on, by the names of {@link commandScreens}. */
  readonly screens: readonly CommandScreen[];
  /** `one` for the row under the cursor, `marked` for all marked rows. */
  readonly rows: "one" | "marked";
  /** A sentence for the help and the palette. */
  readonly description: string;
  /** The question before the command runs, or null for none. A value replaces `{name}`. */
  readonly confirm: string | null;
  readonly output: CommandOutput;
}

/** The screens that a command can work on. */
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
