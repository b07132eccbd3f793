import type { Command } from "commander";
import type { AppError } from "../errors/app-error.ts";
import { isAppError } from "../errors/app-error.ts";
import { commandLine } from "../text/as-command.ts";
import { defaultColumn, readSource } from "../triage/source/read-source.ts";
import {
  leftOutWords,
  type RowIssue,
  type Source,
  type SourceLayout,
} from "../triage/source/source.ts";
import { cohortsOf } from "./cohorts/cohort-entry.ts";
import { usageError } from "./command-error.ts";
import type { Invocation } from "./invocation.ts";
import type { Io } from "./io.ts";
import { identifierArguments, identifierProblem, supplierArgument } from "./option-values.ts";
import { readNamed } from "./read-input.ts";

export interface ListOptions {
  readonly source?: string;
  readonly column?: string;
  readonly cohort?: string;
}

export const listFormats = "one number per line, a JSON array, JSON lines or CSV";

export function addListOptions(
  command: Command,
  descriptions: { readonly source: string; readonly cohort: string },
): Command {
  return command
    .option("--source <file>", descriptions.source)
    .option(
      "--column <name-in-file>",
      "the column of the number (default: external_account_number)",
    )
    .option("--cohort <cohort>", descriptions.cohort);
}

export interface GivenList {
  readonly source: Source;
  readonly bytes: Uint8Array;
  readonly column: string;
}

/**
 * Reads the list that the options name, or returns null if they name none. Reports the rows that
 * name another supplier. Throws `usage` for a list without a number.
 */
export async function givenList(
  invocation: Invocation,
  supplier: string,
  { source: path, column, cohort }: ListOptions,
): Promise<GivenList | null> {
  if (cohort !== undefined) {
    if (path !== undefined || column !== undefined)
      throw usageError(
        `--cohort and ${path === undefined ? "--column" : "--source"} exclude each other`,
        "A cohort is a stored list, and its column is stored with it.",
      );
    const stored = await cohortsOf(invocation).read(cohort, supplier);
    reportLeftOut(invocation, stored.source);
    return { ...stored, column: stored.cohort.column ?? defaultColumn };
  }
  if (path === undefined) {
    if (column === undefined) return null;
    throw usageError("--column is about a list", "Name the list with --source FILE.");
  }
  const options = { flag: "--source", path, column, supplier };
  const { source, name, bytes } = await sourceFile(invocation.io, options);
  if (source.rows === 0) throw usageError(`${name} has no account number`);
  reportLeftOut(invocation, source);
  return { source, bytes, column: column ?? defaultColumn };
}

export function reportLeftOut(invocation: Invocation, source: Source): void {
  const words = leftOutWords(source);
  if (words !== null) invocation.warn(words);
}

interface SourceFile {
  readonly source: Source;
  /** The name for messages, such as `--from numbers.csv` or `standard input`. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/**
 * Reads the list of accounts that an option names: a file, or standard input for `-`. Throws
 * `usage` if it cannot be used as a whole, and the signal's reason if the program ends meanwhile.
 */
async function sourceFile(
  io: Io,
  options: {
    readonly flag: string;
    readonly path: string;
    readonly column?: string | undefined;
    readonly supplier: string | undefined;
  },
): Promise<SourceFile> {
  const { flag, path, column, supplier } = options;
  const { name: file, bytes } = await readNamed(io, path);
  const name = path === "-" ? file : `${flag} ${file}`;
  try {
    return { source: readSource(bytes, { name, column, supplier }), name, bytes };
  } catch (error) {
    throw sourceUsageError(error, { choosesColumn: flag === "--source" });
  }
}

export function sourceUsageError(error: unknown, { choosesColumn = true } = {}): unknown {
  if (!isAppError(error, "source")) return error;
  const choose = choosesColumn ? " Choose one with --column." : "";
  const { remedy, columns } = error.facts;
  const names = columns === undefined ? null : `Its columns: ${columns.join(", ")}.${choose}`;
  return usageError(error.message, remedy ?? names);
}

export interface FromOption {
  /** A file with more account numbers, or `-` for standard input. */
  readonly from?: string;
}

export function addAccounts(command: Command): Command {
  return addNumbers(command.argument(...supplierArgument), "account");
}

/** Declares `--from` and the numbers, `name` in the help, as the last arguments. */
export function addNumbers(command: Command, name: string): Command {
  return command
    .argument(`[${name}...]`, "external account numbers", identifierArguments)
    .option(
      "--from <file>",
      "more numbers from a file, or - for standard input: one per line, a JSON array, or CSV",
    );
}

interface NamedAccounts {
  readonly named: readonly string[];
  readonly from: string | undefined;
  /** The supplier whose rows of the file are read. Default: the rows of all suppliers. */
  readonly supplier?: string;
}

/**
 * Returns the accounts of the arguments, followed by those of the file. Throws `usage` if there are
 * none; it names the suppliers of a number that stands in the place of the supplier.
 */
export async function accountsGiven(
  invocation: Invocation,
  verb: string,
  { named, from, supplier }: NamedAccounts,
): Promise<readonly string[]> {
  const read = from === undefined ? [] : await readAccountNumbers(invocation, from, supplier);
  if (named.length + read.length > 0) return [...named, ...read];
  if (supplier !== undefined && from === undefined) {
    // It reads the stored lists, which the accounts of most calls do without.
    const { numberWithoutSupplier } = await import("./whose-number.ts");
    const problem = await numberWithoutSupplier(invocation, supplier, verb.split(" "));
    if (problem !== null) throw problem;
  }
  const give = "Name them, or give a file with --from FILE (or - for standard input).";
  const search =
    supplier === undefined || !/\d/.test(supplier)
      ? null
      : commandLine({ words: ["find"], operands: [supplier] }, invocation.globals.profile ?? null);
  throw usageError(
    `${verb} needs at least one external account number`,
    search === null ? give : `If ${supplier} is one, ${search} names its supplier. ${give}`,
  );
}

/**
 * Reads external account numbers from a file, or from standard input for `-`. Throws `usage` with
 * the file and the line of the first row without a usable number.
 */
async function readAccountNumbers(
  invocation: Invocation,
  path: string,
  supplier: string | undefined,
): Promise<readonly string[]> {
  const { source, name } = await sourceFile(invocation.io, { flag: "--from", path, supplier });
  return numbersInList(invocation, { source, name });
}

/**
 * Returns the numbers of a list. Throws `usage` with the name and the line of the first row without a
 * usable number.
 */
export function numbersInList(
  invocation: Invocation,
  { source, name }: Pick<SourceFile, "source" | "name">,
): readonly string[] {
  reportLeftOut(invocation, source);
  const numbers: string[] = [];
  const unit = source.layout === "json" ? "element" : "line";
  for (let row = 0; row < source.rows; row++) {
    const issue = source.issueOf(row);
    if (issue?.kind === "blank") continue;
    const place = `${name}, ${unit} ${source.lineOf(row)}`;
    if (issue !== null) throw issueError(place, issue, source.layout);
    const number = source.numberOf(row);
    const problem = identifierProblem(number);
    if (problem !== null) throw usageError(`${place}: the number ${problem}`);
    numbers.push(number);
  }
  if (numbers.length === 0) throw usageError(`${name} has no account number`);
  return numbers;
}

function issueError(place: string, issue: RowIssue, layout: SourceLayout): AppError<"command"> {
  const rowError = (issueText: string, remedy?: string) => usageError(place + issueText, remedy);
  switch (issue.kind) {
    case "unusable":
      return rowError(`: ${issue.message}`);
    case "empty":
    case "blank":
      return rowError(": the number must not be empty");
    case "no-number":
      return rowError(": account numbers must be in quotes, to preserve leading zeros");
    case "not-utf8":
      return rowError(" is not UTF-8 text", "Save it as UTF-8.");
    case "unreadable":
      return rowError(
        `, is not readable as ${layout === "csv" ? "CSV" : "JSON"}: ${issue.message}`,
      );
  }
}
