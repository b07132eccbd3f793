import { closeSync, constants, createReadStream, fstatSync, openSync } from "node:fs";
import type { Readable } from "node:stream";
import { type AppError, isAppError } from "../errors/app-error.ts";
import { codeOf } from "../text/disk-words.ts";
import { usageError } from "./command-error.ts";
import type { Io } from "./io.ts";

/**
 * Maximum size of an input in bytes, far above any list of numbers. The limit stops data that is
 * piped in by mistake.
 */
const maxInputBytes = 256 * 1024 * 1024;

const chunkBytes = 256 * 1024;

/**
 * Yields the bytes of a file, a pipe (such as a shell's `<(…)`) or a terminal. Leaving the loop
 * stops reading at once, even from a pipe without a writer, which would otherwise block the
 * program. Rejects with the system's error or the signal's reason. Rejects with `usage` for a
 * device, because reading a device never ends.
 */
export async function* openBytes(path: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  signal.throwIfAborted();
  yield* bytesOf(await streamOf(path), signal);
}

/** Yields the bytes of a stream, and destroys it at the end or if the signal is aborted. */
async function* bytesOf(stream: Readable, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const destroy = () => void stream.destroy();
  signal.addEventListener("abort", destroy, { once: true });
  try {
    for await (const chunk of stream) yield chunk;
    signal.throwIfAborted();
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener("abort", destroy);
    stream.destroy();
  }
}

async function streamOf(path: string): Promise<Readable> {
  // Opening a pipe waits for a writer unless it is non-blocking.
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
      throw usageError(`cannot read ${path}: it is a device`, "Nothing was sent.");
    }
    return createReadStream(path, { fd, highWaterMark: chunkBytes });
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

export function describeReadError(error: unknown): string {
  const code = codeOf(error);
  if (code === "ENOENT") return "there is no such file";
  return code === "EISDIR" ? "it is a folder" : `it cannot be read (${code})`;
}

/** A file on the command line, or standard input for `-`. */
interface NamedInput {
  /** The path, or `standard input`, for messages. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/**
 * Reads an input to its end. Throws `usage` if it cannot be read, and the signal's reason if the
 * program is ended.
 */
export async function readNamed(io: Io, path: string): Promise<NamedInput> {
  const isStdin = path === "-";
  const source = isStdin ? bytesOf(io.stdin, io.signal) : openBytes(path, io.signal);
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of source) {
      size += chunk.length;
      if (size > maxInputBytes)
        throw isStdin
          ? usageError("standard input is larger than 256 MB")
          : unreadable(path, "it is larger than 256 MB");
      chunks.push(chunk);
    }
  } catch (error) {
    io.signal.throwIfAborted();
    if (isStdin || isAppError(error, "command")) throw error;
    throw unreadable(path, describeReadError(error));
  }
  return { name: isStdin ? "standard input" : path, bytes: Buffer.concat(chunks) };
}

function unreadable(path: string, reason: string): AppError<"command"> {
  return usageError(`cannot read ${path}: ${reason}`, "Nothing was sent.");
}
