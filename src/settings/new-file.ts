import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { link, open, realpath, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { AppError } from "../errors/app-error.ts";

/** Adds text or bytes to the file; resolves when there is room for more. */
export type Append = (piece: string | Uint8Array) => Promise<void>;

/**
 * Writes a new file with what `fill` appends; returns its size in bytes. It stands under its name
 * only once it is whole: until then under a hidden one beside it, which is removed when the
 * writing fails or is given up. An existing file is left alone. Between two pieces other
 * events have their turn. Rejects with an output error `exists`, the system's error, what `fill` rejects with, or
 * the signal's reason.
 */
export async function writeNewFile(
  path: string,
  fill: (append: Append) => Promise<void>,
  signal: AbortSignal,
): Promise<number> {
  signal.throwIfAborted();
  if (existsSync(path))
    throw new AppError("output", "exists", "it already exists, and nothing is overwritten");
  const unfinished = join(dirname(path), `.${basename(path)}.${randomUUID()}.part`);
  let size = 0;
  try {
    // Account numbers are personal data: the file is the user's alone.
    const file = await open(unfinished, "wx", 0o600);
    try {
      await fill(async (piece) => {
        signal.throwIfAborted();
        await file.appendFile(piece);
        size += Buffer.byteLength(piece);
      });
      await file.sync();
    } finally {
      await file.close();
    }
    signal.throwIfAborted();
    await giveName(unfinished, path);
    return size;
  } finally {
    await rm(unfinished, { force: true }).catch(() => {});
  }
}

/**
 * Replaces a file, or makes a new one, with a text: who reads it sees the old one or the new one, and
 * a program that ends meanwhile leaves the old one. Anyone may read it, as monitoring has to. Rejects
 * with the system's error or the signal's reason.
 */
export async function replaceFile(path: string, text: string, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  // A link stays one.
  const place = await realpath(path).catch(() => path);
  const unfinished = join(dirname(place), `.${basename(place)}.${randomUUID()}.part`);
  try {
    const file = await open(unfinished, "wx", 0o644);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    signal.throwIfAborted();
    await rename(unfinished, place);
  } finally {
    await rm(unfinished, { force: true }).catch(() => {});
  }
}

/** A second name can be given only where there is no such file yet, which renaming does not heed. */
async function giveName(unfinished: string, path: string): Promise<void> {
  try {
    await link(unfinished, path);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : null;
    if (code === "EEXIST" || existsSync(path))
      throw new AppError("output", "exists", "a file of that name was created meanwhile");
    // Not every file system has second names.
    await rename(unfinished, path);
  }
}
