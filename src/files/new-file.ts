/** Writes files so that no reader sees an incomplete file. */
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { link, open, realpath, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { AppError } from "../errors/app-error.ts";
import { log } from "../log/log.ts";
import { codeOf } from "../text/disk-words.ts";

/** Adds text or bytes to the file. Resolves when they are written. */
export type FileWriter = (piece: string | Uint8Array) => Promise<void>;

/**
 * Writes a new file with the output of `fill`, and returns the size in bytes. The file gets its
 * name only when it is complete. Until then the file has a hidden name in the same folder. An
 * incomplete file is removed if writing fails or is canceled. An existing file is not changed.
 * Rejects with an output error `exists`, the system's error, the error of `fill`, or the signal's
 * reason.
 */
export function writeNewFile(
  path: string,
  fill: (append: FileWriter) => Promise<void>,
  signal: AbortSignal,
): Promise<number> {
  return logWriting(path, () => writeNew(path, fill, signal));
}

async function writeNew(
  path: string,
  fill: (append: FileWriter) => Promise<void>,
  signal: AbortSignal,
): Promise<number> {
  signal.throwIfAborted();
  if (existsSync(path))
    throw new AppError("output", "exists", "it already exists, and nothing is overwritten");
  const unfinished = join(dirname(path), `.${basename(path)}.${randomUUID()}.part`);
  let size = 0;
  try {
    // Account numbers are personal data, so only the user can read the file.
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
 * Writes a text to a file, and replaces an existing file at once: a reader sees the old file or the
 * new one. If the program ends meanwhile, the old file is unchanged. Everyone can read the file,
 * because it is for monitoring. Rejects with the system's error or the signal's reason.
 */
export async function replaceFile(path: string, text: string, signal: AbortSignal): Promise<void> {
  await logWriting(path, async () => {
    await replace(path, text, signal);
    return Buffer.byteLength(text);
  });
}

async function replace(path: string, text: string, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  // The target of a link is replaced, not the link.
  const target = await realpath(path).catch(() => path);
  const unfinished = join(dirname(target), `.${basename(target)}.${randomUUID()}.part`);
  try {
    const file = await open(unfinished, "wx", 0o644);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    signal.throwIfAborted();
    await rename(unfinished, target);
  } finally {
    await rm(unfinished, { force: true }).catch(() => {});
  }
}

/**
 * Gives the file its name with a hard link, which fails if the name exists. A rename would replace
 * the existing file.
 */
async function giveName(unfinished: string, path: string): Promise<void> {
  try {
    await link(unfinished, path);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : null;
    if (code === "EEXIST" || existsSync(path))
      throw new AppError("output", "exists", "a file of that name was created meanwhile");
    // Not every file system has hard links.
    await rename(unfinished, path);
  }
}

/**
 * Runs the writing of a file and logs the path and duration with the number of bytes or the
 * error. The content is not logged.
 */
async function logWriting(path: string, write: () => Promise<number>): Promise<number> {
  const began = performance.now();
  const ms = () => Math.round(performance.now() - began);
  try {
    const bytes = await write();
    log({ event: "file-written", path, bytes, ms: ms() });
    return bytes;
  } catch (error) {
    log({ event: "file-failed", path, code: codeOf(error), ms: ms() });
    throw error;
  }
}
