/**
 * Reads account numbers from arguments and from the file of `--from`, for commands about several
 * accounts.
 */

import type { Command } from "commander";
import type { AppError } from "../../errors/app-error.ts";
import type { RowIssue, SourceLayout } from "../../triage/source/source.ts";
import { usageError } from "../command-error.ts";
import type { Invocation } from "../invocation.ts";
import { identifierArgument, identifierArguments, identifierProblem } from "../option-values.ts";
import { sourceFile } from "../source-file.ts";

export interface FromOption {
  /** A file with more account numbers, or `-` for standard input. */
  readonly from?: string;
}

/** Declares the supplier argument, the account arguments and `--from`. */
export function addAccounts(command: Command): Command {
  return addNumbers(
    command.argument("<supplier>", "import supplier code", identifierArgument),
    "account",
  );
}

/**
 * Declares the account numbers as the last arguments, and `--from`. `name` is their name in the
 * help.
 */
export function addNumbers(command: Command, name: string): Command {
  return command
    .argument(`[${name}...]`, "external account numbers", identifierArguments)
    .option(
      "--from <file>",
      "more numbers from a file, or - for standard input: one per line, a JSON array, or CSV",
    );
}

/**
 * Returns the accounts of the arguments, followed by those of the file. Throws `usage` if there are
 * none.
 */
export async function accountsGiven(
  invocation: Invocation,
  verb: string,
  named: readonly string[],
  from: string | undefined,
): Promise<readonly string[]> {
  const read = from === undefined ? [] : await readAccountNumbers(invocation, from);
  if (named.length + read.length > 0) return [...named, ...read];
  throw usageError(
    `${verb} needs at least one external account number`,
    "Name them, or give a file with --from FILE (or - for standard input).",
  );
}

/**
 * Reads external account numbers from a file, or from standard input for `-`. Throws `usage` with
 * the file and the line of the first row without a usable number.
 */
async function readAccountNumbers({ io }: Invocation, path: string): Promise<readonly string[]> {
  const { source, name } = await sourceFile(io, { flag: "--from", path });
  const numbers: string[] = [];
  const unit = source.layout === "json" ? "element" : "line";
  for (let row = 0; row < source.rows; row++) {
    const issue = source.issueOf(row);
    if (issue?.kind === "blank") continue;
    const place = `${name}, ${unit} ${source.lineOf(row)}`;
    if (issue !== null) throw refused(place, issue, source.layout);
    const number = source.numberOf(row);
    const problem = identifierProblem(number);
    if (problem !== null) throw usageError(`${place}: the number ${problem}`);
    numbers.push(number);
  }
  if (numbers.length === 0) throw usageError(`${name} has no account number`);
  return numbers;
}

function refused(place: string, issue: RowIssue, layout: SourceLayout): AppError<"command"> {
  const refuse = (what: string, next?: string) => usageError(place + what, next);
  switch (issue.kind) {
    case "unusable":
      return refuse(`: ${issue.message}`);
    case "empty":
    case "blank":
      return refuse(": the number must not be empty");
    case "no-number":
      return refuse(": account numbers must be in quotes, to preserve leading zeros");
    case "not-utf8":
      return refuse(" is not UTF-8 text", "Save it as UTF-8.");
    case "unreadable":
      return refuse(`, is not readable as ${layout === "csv" ? "CSV" : "JSON"}: ${issue.message}`);
  }
}
