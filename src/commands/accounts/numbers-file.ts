import type { Command } from "commander";
import { jsonErrorAt } from "../../json/scan.ts";
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
    : await fromLinesOrCsv(text, name);
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

async function fromLinesOrCsv(text: string, name: string): Promise<Found[]> {
  const [head = ""] = text.split(/\r?\n/, 1);
  const delimiter = [",", ";", "\t"].find((one) =>
    head.split(one).some((cell) => cell.trim().replace(/^"(.*)"$/, "$1") === column),
  );
  if (delimiter !== undefined) return fromCsv(text, name, delimiter);
  if (/\.csv$/i.test(name))
    throw new CommandError("usage", `${name} has no column named ${column} in its first line`);
  return text
    .split(/\r?\n/)
    .map((line, index) => ({ number: line.trim(), at: `line ${index + 1}` }))
    .filter(({ number }) => number !== "");
}

async function fromCsv(text: string, name: string, delimiter: string): Promise<Found[]> {
  const { parse } = await import("csv-parse/sync");
  const lineOf = lineCounter(text);
  let rows: {
    info: { bytes: number };
    raw: string;
    record: Record<string, string | undefined>;
  }[];
  try {
    rows = parse(text, {
      columns: (names: string[]) => names.map((one) => one.trim()),
      delimiter,
      info: true,
      raw: true,
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
    });
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    // Where the record begins that cannot be read; blank lines before it are none of it.
    const read =
      error instanceof Error && "bytes_records" in error ? Number(error.bytes_records) : 0;
    const blank = /^(?:\r\n|\n|\r)*/.exec(Buffer.from(text).toString("latin1", read))?.[0] ?? "";
    const line = lineOf(read + blank.length);
    const why = said.replace(/ (?:on|at) line \d+/, ` in the row that begins on line ${line}`);
    throw new CommandError("usage", `${name} is not readable as CSV: ${why}`);
  }
  return rows.map(({ record, raw, info }) => ({
    number: asExported(record[column] ?? ""),
    at: `line ${lineOf(info.bytes) - lineEnds(raw)}`,
  }));
}

/**
 * Tells on which line a byte stands, from 1; asked for bytes in ascending order. csv-parse counts
 * lines itself, and wrongly from the first quoted CRLF on.
 */
function lineCounter(text: string): (byte: number) => number {
  const bytes = Buffer.from(text);
  let [line, from] = [1, 0];
  return (byte) => {
    const end = Math.max(from, Math.min(byte, bytes.length));
    line += lineEnds(bytes.toString("latin1", from, end));
    from = end;
    return line;
  };
}

function lineEnds(text: string): number {
  return text.match(/\r\n|\n|\r/g)?.length ?? 0;
}

/** Without the apostrophe that CSV from here puts before what a spreadsheet would compute. */
function asExported(cell: string): string {
  return /^'[=+\-@\t\r]/.test(cell) ? cell.slice(1) : cell;
}
