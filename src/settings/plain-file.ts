import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";

/** Why a file is not read: the system's code, what stands in its place, or its size. */
export type PlainFile =
  | { readonly kind: "read"; readonly text: string }
  | { readonly kind: "no-file" }
  | { readonly kind: "too-large" }
  | { readonly kind: "failed"; readonly error: unknown };

/**
 * Reads a file that holds no secret, of at most `largest` bytes; it may be a link, and others may read
 * it. A pipe or a device in its place is not read: nothing may ever come from it, or without end.
 */
export function readPlainFile(path: string, largest: number): PlainFile {
  let file: number;
  try {
    // Opening a pipe would block until a writer opens it.
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    return { kind: "failed", error };
  }
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) return { kind: "no-file" };
    if (stats.size > largest) return { kind: "too-large" };
    return { kind: "read", text: readFileSync(file, "utf8") };
  } catch (error) {
    return { kind: "failed", error };
  } finally {
    closeSync(file);
  }
}
