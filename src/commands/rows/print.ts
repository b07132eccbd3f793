import { toJson } from "../../json/exact.ts";
import { plural } from "../../text/numbers.ts";
import { markdownTable, textTable } from "../../text/table.ts";
import { type Format, type GlobalOptions, printsJson } from "../global-options.ts";
import type { Invocation } from "../invocation.ts";
import { writeOutput } from "../output-file.ts";
import { type Column, chosenColumns, shownCell } from "./columns.ts";
import { jsonOf, type RowWriter, rowWriter, type WriterOptions } from "./row-writer.ts";

export interface PrintOptions<R> extends Pick<WriterOptions<R>, "json"> {
  readonly brief?: readonly Column<R>[];
}

interface StreamOptions<R> extends PrintOptions<R> {
  readonly format?: Format;
  /** False to print whole cells. Default: they are cut to the width of the terminal. */
  readonly isCut?: boolean;
}

export function isForPeople({ format }: Pick<GlobalOptions, "format">): boolean {
  return format === "table" || format === "md";
}

/**
 * Prints complete rows in the requested format. `columns` has all columns of the verb, and
 * `--columns` chooses among them.
 */
export async function printRows<R extends object>(
  invocation: Invocation,
  columns: readonly Column<R>[],
  rows: readonly R[],
  options: PrintOptions<R> = {},
): Promise<void> {
  await invocation.out.write(rowsText(invocation, columns, rows, options));
}

export function rowsText<R extends object>(
  invocation: Invocation,
  columns: readonly Column<R>[],
  rows: readonly R[],
  options: PrintOptions<R>,
): string {
  const writer = writerFor(invocation, columns, options);
  return writer.rows(rows) + writer.end();
}

interface Output {
  write(text: string): Promise<unknown>;
  /** Writes the end of an incomplete output. Absent for a file, which is removed if incomplete. */
  close?(text: string): void;
}

/**
 * Writes rows that arrive in pages, no faster than the output accepts them. Resolves with the
 * number of rows. If the pages fail, marks the output as incomplete.
 */
export async function writePages<R>(
  writer: RowWriter<R>,
  pages: AsyncIterable<readonly R[]> | Iterable<readonly R[]>,
  output: Output,
): Promise<number> {
  let count = 0;
  try {
    for await (const rows of pages) {
      count += rows.length;
      await output.write(writer.rows(rows));
    }
  } catch (error) {
    if (count > 0) output.close?.(writer.cutOff());
    throw error;
  }
  await output.write(writer.end());
  return count;
}

/**
 * Writes the rows of pages to the new file of `--output`, with a notice of their number, or to stdout
 * without one. Resolves with their number.
 */
export async function writePagesTo<R>(
  { io, out, notice }: Invocation,
  writer: RowWriter<R>,
  pages: AsyncIterable<readonly R[]> | Iterable<readonly R[]>,
  {
    output,
    noun,
  }: { readonly output: string | undefined; readonly noun: readonly [string, string] },
): Promise<number> {
  if (output === undefined) return writePages(writer, pages, out);
  let rows = 0;
  await writeOutput("--output", output, io.signal, async (append) => {
    rows = await writePages(writer, pages, { write: append });
  });
  notice(`${plural(rows, ...noun)} in ${output}.`);
  return rows;
}

export function writerFor<R extends object>(
  invocation: Invocation,
  columns: readonly Column<R>[],
  { json, brief, format, isCut = true }: StreamOptions<R> = {},
): RowWriter<R> {
  const { globals, io } = invocation;
  const usedFormat = format ?? globals.format;
  const chosen = columnsFor({ ...globals, format: usedFormat }, columns, brief);
  return rowWriter(usedFormat, chosen, {
    isChosen: globals.columns !== undefined,
    json,
    maxWidth: isCut && io.stdout.isTTY ? io.stdout.columns : undefined,
    ascii: globals.ascii,
  });
}

function columnsFor<R extends object>(
  globals: Pick<GlobalOptions, "columns" | "format">,
  columns: readonly Column<R>[],
  brief: readonly Column<R>[] = columns,
): readonly Column<R>[] {
  const names = globals.columns;
  if (names !== undefined) return chosenColumns(columns, names);
  return isForPeople(globals) ? brief : columns;
}

export async function printRow<R extends object>(
  invocation: Invocation,
  columns: readonly Column<R>[],
  row: R,
  options: PrintOptions<R> = {},
): Promise<void> {
  await invocation.out.write(rowText(invocation, columns, row, options));
}

export function rowText<R extends object>(
  invocation: Invocation,
  columns: readonly Column<R>[],
  row: R,
  options: PrintOptions<R> = {},
): string {
  const { globals } = invocation;
  const chosen = columnsFor(globals, columns, options.brief);
  if (globals.format === "json") {
    const json = jsonOf(chosen, { ...options, isChosen: globals.columns !== undefined });
    return `${toJson(json(row), 2)}\n`;
  }
  if (!isForPeople(globals)) return rowsText(invocation, columns, [row], options);
  const cells = chosen.map((column) => [column.title, shownCell(row, column)]);
  const lines =
    globals.format === "md"
      ? markdownTable(["Field", "Value"], cells)
      : textTable([{ title: "" }, { title: "" }], cells).slice(1);
  return lines.map((line) => `${line}\n`).join("");
}

/** Returns a JSON document, indented except for `jsonl`. */
export function jsonOutput({ format }: Pick<GlobalOptions, "format">, value: unknown): string {
  return toJson(value, format === "json" ? 2 : undefined);
}

export function printDone(
  { globals, out }: Invocation,
  json: Readonly<Record<string, unknown>>,
  words: string,
): Promise<void> {
  return out.line(printsJson(globals) ? toJson(json) : words);
}
