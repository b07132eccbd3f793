/** The type of the user's custom commands, which `commands.json` defines. */

export const commandOutputs = ["notice", "pager", "terminal"] as const;
type CommandOutput = (typeof commandOutputs)[number];

/** A custom command of the user: a program with its arguments, which runs without a shell. */
export interface CustomCommand {
  readonly entry: string;
  readonly name: string;
  /** The program and its arguments. A value replaces an argument such as `{status}`. */
  readonly argv: readonly string[];
  /** Variables added to the environment. A value replaces a text such as `{status}`. */
  readonly env: Readonly<Record<string, string>>;
  /** True if the command writes to the service, so that it cannot run while writes are locked. */
  readonly writes: boolean;
  readonly timeoutMs: number;
  /** The name of the key, or null if only the palette runs the command. */
  readonly key: string | null;
  readonly screens: readonly CommandScreen[];
  /** `one` for the row under the cursor, `marked` for all marked rows. */
  readonly rows: "one" | "marked";
  readonly description: string;
  /** The question before the command runs, or null for none. It can contain placeholders. */
  readonly confirm: string | null;
  readonly output: CommandOutput;
}

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

export const markingScreens: readonly CommandScreen[] = [
  "accounts",
  "reconcile",
  "activity",
  "watch",
];

export interface CustomCommands {
  readonly path: string;
  readonly commands: readonly CustomCommand[];
  readonly issues: readonly string[];
}
