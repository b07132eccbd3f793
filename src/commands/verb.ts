import type { Command } from "commander";
import type { ExitCode } from "./exit-codes.ts";
import { type AnyFormat, formats } from "./global-options.ts";
import type { Invocation } from "./invocation.ts";
import type { Column } from "./rows/columns.ts";

/** One verb of the command line, whole: how it is declared, what it does and how it can end. */
export interface Verb {
  /** What it does, in its help; where it is a command by itself, the summary of that. */
  readonly description?: string;
  /** Adds arguments and options. */
  declare?(command: Command): unknown;
  /** Lines at the end of its help, each of which can be pasted. */
  readonly examples: readonly string[];
  /** How it can end, faults of the program aside. */
  readonly exits: readonly ExitCode[];
  /**
   * Every column of the rows that it prints, in their order: with them it takes `--columns`, and
   * prints every format.
   */
  readonly columns?: readonly Column[];
  /** The columns with these options, where they are others. */
  columnsWith?(options: Readonly<Record<string, unknown>>): readonly Column[];
  /** The formats that it prints, where they are others; without `table` the first is the usual one. */
  readonly formats?: readonly AnyFormat[];
  /**
   * Does its work with the arguments as declared, then the options; resolves with the exit code, or
   * with nothing when it is done.
   */
  run(invocation: Invocation, ...given: never[]): Promise<number | undefined>;
}

export function formatsOf({ columns, formats: own }: Verb): readonly AnyFormat[] {
  return own ?? (columns === undefined ? ["table", "json", "jsonl"] : formats);
}

/** The ends of most verbs, by what they do. */
export const exits = {
  local: [0, 2],
  entry: [0, 2, 5],
  read: [0, 2, 3, 5, 6, 130],
  watch: [0, 2, 3, 5, 6, 8, 9, 130],
  write: [0, 2, 3, 4, 5, 6, 7, 130],
} as const satisfies Readonly<Record<string, readonly ExitCode[]>>;
