import type { Command } from "commander";
import type { ExitCode } from "./exit-codes.ts";
import { type AnyFormat, formats } from "./global-options.ts";
import type { Invocation } from "./invocation.ts";
import type { Column } from "./rows/columns.ts";

/** One verb of the command line: its declaration, its work and its exit codes. */
export interface Verb {
  /** Its description in the help. For a command without a noun, the summary is used instead. */
  readonly description?: string;
  /** Declares arguments and options. */
  declare?(command: Command): unknown;
  /** Example lines at the end of its help. Each can be pasted. */
  readonly examples: readonly string[];
  /** Its exit codes, without faults of the program. */
  readonly exits: readonly ExitCode[];
  /**
   * Every column of its rows, in their order. A verb with columns has `--columns` and prints every
   * format.
   */
  readonly columns?: readonly Column[];
  /** Returns the columns with these options, if they differ. */
  columnsWith?(options: Readonly<Record<string, unknown>>): readonly Column[];
  /** The formats that it prints, if they differ. Without `table`, the first one is the default. */
  readonly formats?: readonly AnyFormat[];
  /**
   * Does its work with the declared arguments, followed by the options. Resolves with the exit
   * code, or with nothing for success.
   */
  run(invocation: Invocation, ...given: never[]): Promise<number | undefined>;
}

export function formatsOf({ columns, formats: own }: Verb): readonly AnyFormat[] {
  return own ?? (columns === undefined ? ["table", "json", "jsonl"] : formats);
}

/** The exit codes of most verbs, by the kind of their work. */
export const exits = {
  local: [0, 2],
  entry: [0, 2, 5],
  read: [0, 2, 3, 5, 6, 130],
  watch: [0, 2, 3, 5, 6, 8, 9, 130],
  write: [0, 2, 3, 4, 5, 6, 7, 130],
} as const satisfies Readonly<Record<string, readonly ExitCode[]>>;
