import { readFile } from "node:fs/promises";
import { CommandError } from "./command-error.ts";
import type { Io } from "./io.ts";
import { readInput } from "./read-input.ts";

/** A file that the command line names, or standard input for `-`; `name` is for people. */
export interface NamedInput {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Reads it to its end. Throws `usage` where it cannot be read, and the signal's reason when ended. */
export async function readNamed(io: Io, path: string): Promise<NamedInput> {
  if (path === "-") return { name: "standard input", bytes: await readInput(io) };
  try {
    return { name: path, bytes: await readFile(path, { signal: io.signal }) };
  } catch (error) {
    io.signal.throwIfAborted();
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown reason";
    const why = code === "ENOENT" ? "there is no such file" : `it cannot be read (${code})`;
    throw new CommandError("usage", `cannot read ${path}: ${why}`, "Nothing was sent.");
  }
}
