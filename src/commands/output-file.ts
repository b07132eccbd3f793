import { AppError, isAppError } from "../errors/app-error.ts";
import { type FileWriter, writeNewFile } from "../files/new-file.ts";
import { codeOf, diskWords } from "../text/disk-words.ts";
import { usageError } from "./command-error.ts";

/**
 * Writes a new file that an option names, completely or not at all. Overwrites no file. Throws
 * `usage` if the file cannot be created, and `output` if it cannot be written.
 */
export async function writeOutput(
  option: string,
  path: string,
  signal: AbortSignal,
  fill: (append: FileWriter) => Promise<void>,
): Promise<void> {
  const begun = { yet: false };
  try {
    await writeNewFile(
      path,
      async (append) => {
        begun.yet = true;
        await fill(append);
      },
      signal,
    );
  } catch (error) {
    signal.throwIfAborted();
    if (isAppError(error, "output")) throw usageError(`${option} ${path}: ${error.message}`);
    if (!(error instanceof Error && "syscall" in error)) throw error;
    if (begun.yet)
      throw new AppError(
        "command",
        "output",
        `${option} ${path}: it cannot be written: ${diskWords(codeOf(error))}`,
        { remedy: "There is no such file now." },
      );
    throw usageError(`${option} ${path}: it cannot be made: ${diskWords(codeOf(error))}`);
  }
}
