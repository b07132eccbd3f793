import { type FileHandle, open, rm } from "node:fs/promises";
import { CommandError, unwritable } from "../command-error.ts";
import { codeOf } from "./results-file.ts";

/**
 * Writes pieces to a file that is not there yet. What was sent for whom is personal data: the file is
 * the user's alone. A file that was not finished is removed. Throws `usage` or `output`.
 */
export async function writeNewFile(
  option: string,
  path: string,
  write: (file: FileHandle) => Promise<void>,
): Promise<void> {
  let file: FileHandle;
  try {
    file = await open(path, "wx", 0o600);
  } catch (error) {
    const why =
      codeOf(error) === "EEXIST"
        ? "it is there already, and nothing is overwritten"
        : `it cannot be made (${codeOf(error)})`;
    throw new CommandError("usage", `${option} ${path}: ${why}`);
  }
  try {
    await write(file);
    await file.close();
  } catch (error) {
    await file.close().catch(() => {});
    await rm(path, { force: true });
    throw error instanceof Error && "syscall" in error ? unwritable(error) : error;
  }
}
