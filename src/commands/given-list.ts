import type { Command } from "commander";
import type { Source } from "../triage/source/source.ts";
import { cohortsOf } from "./cohorts/cohort-entry.ts";
import { usageError } from "./command-error.ts";
import type { Invocation } from "./invocation.ts";
import { sourceFile } from "./source-file.ts";

/** The options that name a list of accounts: a file and its column, or a stored list. */
export interface ListOptions {
  readonly source?: string;
  readonly column?: string;
  readonly cohort?: string;
}

/** The formats of a list, for the help. */
export const listFormats = "one number per line, a JSON array, JSON lines or CSV";

/** Declares the options of `ListOptions`. `words` has their descriptions. */
export function addListOptions(
  command: Command,
  words: { readonly source: string; readonly cohort: string },
): Command {
  return command
    .option("--source <file>", words.source)
    .option(
      "--column <name-in-file>",
      "the column of the number (default: external_account_number)",
    )
    .option("--cohort <cohort>", words.cohort);
}

/**
 * Reads the list that the options name, or returns null if they name none. Throws `usage` for a
 * list without a number.
 */
export async function givenList(
  invocation: Invocation,
  supplier: string,
  { source: path, column, cohort }: ListOptions,
): Promise<Source | null> {
  if (cohort !== undefined) {
    if (path !== undefined || column !== undefined)
      throw usageError(
        `--cohort and ${path === undefined ? "--column" : "--source"} exclude each other`,
        "A cohort is a stored list, and its column is stored with it.",
      );
    return (await cohortsOf(invocation).read(cohort, supplier)).source;
  }
  if (path === undefined) {
    if (column === undefined) return null;
    throw usageError("--column is about a list", "Name the list with --source FILE.");
  }
  const { source, name } = await sourceFile(invocation.io, { flag: "--source", path, column });
  if (source.rows === 0) throw usageError(`${name} has no account number`);
  return source;
}
