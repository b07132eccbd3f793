/** Reads a regular file of limited size. Pipes and devices are not read. */
import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from "node:fs";

export type RegularFile =
  | { readonly kind: "read"; readonly bytes: Buffer }
  /** The path is a folder, a pipe, a socket or a device. */
  | { readonly kind: "no-file"; readonly stats: Stats }
  | { readonly kind: "too-large" }
  | { readonly kind: "failed"; readonly error: unknown };

/**
 * Reads a file of at most `maxBytes` bytes. A pipe or a device is not read, because it might send
 * nothing or might never end. `check` receives the stats of the opened file, so that no other file
 * can replace it after the check. Errors that `check` throws are not caught.
 */
export function readRegularFile(
  path: string,
  maxBytes: number,
  options: { readonly isLinkFollowed: boolean; readonly check?: (stats: Stats) => void },
): RegularFile {
  let file: number;
  try {
    const links = options.isLinkFollowed ? 0 : constants.O_NOFOLLOW;
    // Opening a pipe would block until a writer opens it.
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | links);
  } catch (error) {
    return { kind: "failed", error };
  }
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) return { kind: "no-file", stats };
    options.check?.(stats);
    return stats.size > maxBytes ? { kind: "too-large" } : bytesOf(file);
  } finally {
    closeSync(file);
  }
}

function bytesOf(file: number): RegularFile {
  try {
    return { kind: "read", bytes: readFileSync(file) };
  } catch (error) {
    return { kind: "failed", error };
  }
}
