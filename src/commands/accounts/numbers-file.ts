import type { Command } from "commander";
import { RecordCutter } from "../../bulk/input/record-cutter.ts";
import { cellsOf, textOf } from "../../bulk/input/record-text.ts";
import { jsonErrorAt } from "../../json/scan.ts";
import { plural } from "../../text/numbers.ts";
import { CommandError } from "../command-error.ts";
import type { Invocation } from "../invocation.ts";
import { identifierArgument, identifierArguments, identifierProblem } from "../option-values.ts";
import { readNamed } from "../read-input.ts";

const column = "external_account_number";

export interface FromOption {
  /** A file with more of them, or `-` for standard input. */
  readonly from?: string;
}

/** Declares the supplier and the accounts, named or in a file. */
export function addAccounts(command: Command): Command {
  return command
    .argument("<supplier>", "import supplier code", identifierArgument)
    .argument("[account...]", "external account numbers", identifierArguments)
    .option(
      "--from <file>",
      "more numbers from a file, or - for standard input: one per line, a JSON array, or CSV",
    );
}

/** The accounts named and those of the file, in this order. Throws `usage` when there is none. */
export async function accountsGiven(
  invocation: Invocation,
  verb: string,
  named: readonly string[],
  from: string | undefined,
): Promise<readonly string[]> {
  const read = from === undefined ? [] : await readAccountNumbers(invocation, from);
  if (named.length + read.length > 0) return [...named, ...read];
  throw new CommandError(
    "usage",
    `${verb} needs at least one external account number`,
    "Name them after the supplier, or give a file with --from FILE (or - for standard input).",
  );
}

/**
 * External account numbers from a file, or from standard input for `-`: one a line, a JSON array of
 * strings, or CSV with an `external_account_number` column. Throws `usage`,
 * naming the file and the line, before anything is sent.
 */
async function readAccountNumbers({ io }: Invocation, path: string): Promise<readonly string[]> {
  const { name: file, bytes } = await readNamed(io, path);
  const name = path === "-" ? file : `--from ${file}`;
  const text = decoded(bytes, name);
  const found = text.trimStart().startsWith("[")
    ? fromJson(text, name)
    : fromLinesOrCsv(bytes, text, name);
  if (found.length === 0) throw new CommandError("usage", `${name} holds no account number`);
  for (const { number, at } of found) {
    const problem = identifierProblem(number);
    if (problem !== null) throw new CommandError("usage", `${name}, ${at}: the number ${problem}`);
  }
  return found.map(({ number }) => number);
}

interface Found {
  readonly number: string;
  /** Where it stands: `line 3`. */
  readonly at: string;
}

function decoded(bytes: Uint8Array, name: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new CommandError("usage", `${name} is not UTF-8 text`, "Save it as UTF-8.");
  }
}

function fromJson(text: string, name: string): Found[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    const error = jsonErrorAt(text);
    const place = error === null ? "" : `, line ${error.line}, column ${error.column}`;
    throw new CommandError(
      "usage",
      `${name}${place}: this begins like a JSON array and is not JSON`,
    );
  }
  if (!Array.isArray(value)) throw new CommandError("usage", `${name} holds no JSON array`);
  return value.map((number: unknown, index) => {
    if (typeof number === "string") return { number, at: `element ${index + 1}` };
    throw new CommandError(
      "usage",
      `${name}, element ${index + 1}: account numbers stand in quotes, so that none loses its zeros`,
    );
  });
}

function fromLinesOrCsv(bytes: Uint8Array, text: string, name: string): Found[] {
  const [head = ""] = text.split(/\r?\n/, 1);
  const separator = [",", ";", "\t"].find((one) =>
    head.split(one).some((cell) => cell.trim().replace(/^"(.*)"$/, "$1") === column),
  );
  if (separator !== undefined) return fromCsv(bytes, name, separator);
  if (/\.csv$/i.test(name))
    throw new CommandError("usage", `${name} has no column named ${column} in its first line`);
  return text
    .split(/\r?\n/)
    .map((line, index) => ({ number: line.trim(), at: `line ${index + 1}` }))
    .filter(({ number }) => number !== "");
}

function fromCsv(bytes: Uint8Array, name: string, separator: string): Found[] {
  const cutter = new RecordCutter("csv", separator);
  cutter.append(bytes);
  cutter.finish();
  const found: Found[] = [];
  let at = -1;
  let width = 0;
  for (let record = cutter.take(); record !== null; record = cutter.take()) {
    const { line, issue } = record;
    const refuse = (why: string) => {
      throw new CommandError("usage", `${name}, line ${line}, is not readable as CSV: ${why}`);
    };
    if (issue !== null) refuse(issue.message);
    const cells = cellsOf(textOf(record) ?? "", separator);
    if (cells.every((cell) => cell === "")) continue;
    if (width === 0) {
      at = cells.findLastIndex((cell) => cell.trim() === column);
      width = cells.length;
      continue;
    }
    const has = plural(cells.length, "cell");
    if (cells.length !== width) refuse(`This row has ${has}, the header ${width}.`);
    found.push({ number: asExported(cells[at] ?? ""), at: `line ${line}` });
  }
  return found;
}

/** Without the apostrophe that CSV from here puts before what a spreadsheet would compute. */
function asExported(cell: string): string {
  return /^'[=+\-@\t\r]/.test(cell) ? cell.slice(1) : cell;
}
