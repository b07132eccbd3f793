import { closeSync, constants, createReadStream, fstatSync, openSync } from "node:fs";
import type { Readable } from "node:stream";
import { CommandError } from "./command-error.ts";

/** Bytes read at a time. */
const together = 256 * 1024;

/**
 * The bytes of what a command line names: a file, a pipe (as a shell's `<(…)`) or a terminal. Giving
 * it up ends the reading at once, also of a pipe that nobody writes to: read the usual way it would
 * hold the whole program until somebody did. Rejects with the system's error, with the signal's
 * reason, and with CommandError `usage` for a device, which never ends.
 */
export async function* openBytes(path: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  signal.throwIfAborted();
  const stream = await streamOf(path);
  const giveUp = () => void stream.destroy();
  signal.addEventListener("abort", giveUp, { once: true });
  try {
    for await (const chunk of stream) yield chunk;
    signal.throwIfAborted();
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener("abort", giveUp);
    stream.destroy();
  }
}

async function streamOf(path: string): Promise<Readable> {
  // Opening a pipe waits for whoever writes to it, unless one asks not to.
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = fstatSync(fd);
    if (stats.isFIFO()) {
      const { Socket } = await import("node:net");
      return new Socket({ fd, readable: true, writable: false });
    }
    if (stats.isCharacterDevice() || stats.isBlockDevice()) {
      const { isatty, ReadStream } = await import("node:tty");
      if (isatty(fd)) return new ReadStream(fd);
      throw new CommandError("usage", `cannot read ${path}: it is a device`, "Nothing was sent.");
    }
    return createReadStream(path, { fd, highWaterMark: together });
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

/** Why something cannot be read, as a clause. */
export function unreadWords(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "unknown reason";
  if (code === "ENOENT") return "there is no such file";
  return code === "EISDIR" ? "it is a folder" : `it cannot be read (${code})`;
}
