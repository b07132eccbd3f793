import type { Command } from "commander";
import { type AnyFormat, formats } from "../global-options.ts";
import type { Invocation } from "../invocation.ts";
import { replaceOutput, textOf } from "../replaced-file.ts";
import { printRow, printRows } from "../rows/print.ts";
import { expositionOf } from "./exposition.ts";
import { type FiguresRow, figureColumns } from "./figures.ts";

export const figureFormats: readonly AnyFormat[] = [...formats, "prometheus"];

export interface OutputOption {
  readonly output?: string;
}

export function addOutput(command: Command): Command {
  return command.option(
    "--output <file>",
    "replace this file at once, instead of printing; it stays as it is where a list is not complete",
  );
}

interface PrintOptions {
  /** Whether JSON is one object. */
  readonly isOne?: boolean;
  json?(row: FiguresRow): unknown;
}

/** Prints figures in the format asked for, or replaces a file with them. */
export async function printFigures(
  invocation: Invocation,
  rows: readonly FiguresRow[],
  { output }: OutputOption,
  options: PrintOptions = {},
): Promise<void> {
  const print = async (to: Invocation) => {
    const [only] = rows;
    if (to.globals.document === "prometheus") await to.out.write(expositionOf(rows));
    else if (options.isOne && only) await printRow(to, figureColumns, only, options);
    else await printRows(to, figureColumns, rows, options);
  };
  if (output === undefined) return print(invocation);
  await replaceOutput(invocation, "--output", output, await textOf(invocation, print));
}
