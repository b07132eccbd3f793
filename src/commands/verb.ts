/** Defines the shape of a verb, which every file of a command exports as `verb`. */

import type { Command } from "commander";
import type { ExitCode } from "./exit-codes.ts";
import type { AnyFormat } from "./global-options.ts";
import type { Invocation } from "./invocation.ts";
import type { Column } from "./rows/columns.ts";

export interface Verb {
  /**
   * The description in the help. A command without a noun uses its summary in the table of
   * commands.
   */
  readonly description?: string;
  declare?(command: Command): unknown;
  /**
   * Every column of the rows, in order. A verb with columns has `--columns` and prints every
   * format.
   */
  readonly columns?: readonly Column[];
  columnsWith?(options: Readonly<Record<string, unknown>>): readonly Column[];
  /**
   * The formats that the verb prints, if they differ from the default. Without `table`, the first
   * format is used by default.
   */
  readonly formats?: readonly AnyFormat[];
  /**
   * Runs the verb with the declared arguments, followed by the options. Resolves with the exit
   * code, or with undefined for success.
   */
  run(invocation: Invocation, ...given: never[]): Promise<number | undefined>;
  /** The possible exit codes, without faults of the program. */
  readonly exits: readonly ExitCode[];
  /** Example lines at the end of the help. Each can be pasted into a shell. */
  readonly examples: readonly string[];
}

export const exits = {
  local: [0, 2],
  entry: [0, 2, 5],
  read: [0, 2, 3, 5, 6, 130],
  watch: [0, 2, 3, 5, 6, 8, 9, 130],
  write: [0, 2, 3, 4, 5, 6, 7, 130],
} as const satisfies Readonly<Record<string, readonly ExitCode[]>>;
