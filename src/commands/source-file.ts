/** Reads the list of accounts that an option such as `--source` names. */

import { isAppError } from "../errors/app-error.ts";
import { readSource } from "../triage/source/read-source.ts";
import type { Source } from "../triage/source/source.ts";
import { usageError } from "./command-error.ts";
import type { Io } from "./io.ts";
import { readNamed } from "./read-input.ts";

interface SourceFile {
  readonly source: Source;
  /** The name for messages, such as `--from numbers.csv` or `standard input`. */
  readonly name: string;
}

/**
 * Reads the list of accounts that an option names: a file, or standard input for `-`. Throws
 * `usage` if it cannot be used as a whole, and the signal's reason if the program ends meanwhile.
 */
export async function sourceFile(
  io: Io,
  options: { readonly flag: string; readonly path: string; readonly column?: string | undefined },
): Promise<SourceFile> {
  const { flag, path, column } = options;
  const { name: file, bytes } = await readNamed(io, path);
  const name = path === "-" ? file : `${flag} ${file}`;
  try {
    return { source: readSource(bytes, { name, column }), name };
  } catch (error) {
    throw refusedSource(error, { choosesColumn: flag === "--source" });
  }
}

/** Converts the error of an unusable list to `usage`. Returns other errors unchanged. */
export function refusedSource(error: unknown, { choosesColumn = true } = {}): unknown {
  if (!isAppError(error, "source")) return error;
  const choose = choosesColumn ? " Choose one with --column." : "";
  const { remedy, columns } = error.facts;
  const named = columns === undefined ? null : `Its columns: ${columns.join(", ")}.${choose}`;
  return usageError(error.message, remedy ?? named);
}
