/** Writes the output of a command to a new file that an option names. */

import { existsSync } from "node:fs";
import { AppError, isAppError } from "../errors/app-error.ts";
import { type FileWriter, writeNewFile } from "../files/new-file.ts";
import { codeOf, diskWords } from "../text/disk-words.ts";
import { usageError } from "./command-error.ts";

/** Throws `usage` if a file exists at the path of an option, before any work for it begins. */
export function checkIsNew(option: string, path: string | undefined): void {
  if (path !== undefined && existsSync(path))
    throw usageError(`${option} ${path}: it already exists, and nothing is overwritten`);
}

/**
 * Writes a new file, completely or not at all. Overwrites no file. Throws `usage` if the file cannot
 * be created, and `output` if it cannot be written. `option` is for the messages.
 */
export async function writeOutput(
  option: string,
  path: string,
  signal: AbortSignal,
  fill: (append: FileWriter) => Promise<void>,
): Promise<void> {
  const file = { isCreated: false };
  try {
    await writeNewFile(
      path,
      async (append) => {
        file.isCreated = true;
        await fill(append);
      },
      signal,
    );
  } catch (error) {
    signal.throwIfAborted();
    if (isAppError(error, "output")) throw usageError(`${option} ${path}: ${error.message}`);
    if (!(error instanceof Error && "syscall" in error)) throw error;
    if (file.isCreated)
      throw new AppError(
        "command",
        "output",
        `${option} ${path}: it cannot be written: ${diskWords(codeOf(error))}`,
        { remedy: "The incomplete file was removed." },
      );
    throw usageError(`${option} ${path}: it cannot be created: ${diskWords(codeOf(error))}`);
  }
}
