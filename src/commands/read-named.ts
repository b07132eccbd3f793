import { CommandError } from "./command-error.ts";
import type { Io } from "./io.ts";
import { openBytes, unreadWords } from "./open-bytes.ts";
import { largestInput, readInput } from "./read-input.ts";

/** A file that the command line names, or standard input for `-`; `name` is for people. */
export interface NamedInput {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Reads it to its end. Throws `usage` where it cannot be read, and the signal's reason when ended. */
export async function readNamed(io: Io, path: string): Promise<NamedInput> {
  if (path === "-") return { name: "standard input", bytes: await readInput(io) };
  const parts: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const part of openBytes(path, io.signal)) {
      size += part.length;
      if (size > largestInput) throw unreadable(path, "it is larger than 256 MB");
      parts.push(part);
    }
  } catch (error) {
    io.signal.throwIfAborted();
    throw error instanceof CommandError ? error : unreadable(path, unreadWords(error));
  }
  return { name: path, bytes: Buffer.concat(parts) };
}

function unreadable(path: string, why: string): CommandError {
  return new CommandError("usage", `cannot read ${path}: ${why}`, "Nothing was sent.");
}
