import { createReadStream } from "node:fs";
import { constants, type FileHandle, open } from "node:fs/promises";
import { AppError, isAppError } from "../errors/app-error.ts";
import { codeOf } from "../text/disk-words.ts";

/** The properties of a file that show a change without reading it. */
export interface FileStamp {
  /** Size in bytes. */
  readonly size: number;
  readonly changedAt: number;
  /** The inode number. It differs if another file replaces this one. */
  readonly inode: number;
}

/** A file that was opened. */
interface OpenedFile {
  readonly stamp: FileStamp;
  /** Yields all bytes once, and then closes the file. Rejects with the signal's reason. */
  readonly bytes: AsyncIterable<Uint8Array>;
  /** The first bytes, at most `most`. */
  head(most: number): Promise<Uint8Array>;
  close(): Promise<void>;
}

/** Bytes read at a time: few, so that keys are heard in between. */
const together = 64 * 1024;

/**
 * Opens a file for reading. Rejects with a source error if the path is not a file or cannot be
 * read. It does not wait for a pipe or a device.
 */
export async function openSourceFile(path: string, signal: AbortSignal): Promise<OpenedFile> {
  try {
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const found = await file.stat();
      if (found.isDirectory())
        throw new AppError("source", "usage", `${path} is a folder`, otherFile);
      if (!found.isFile())
        throw new AppError(
          "source",
          "usage",
          `${path} is a pipe or a device, not a file`,
          otherFile,
        );
      return {
        stamp: { size: found.size, changedAt: found.mtimeMs, inode: found.ino },
        bytes: bytesOf(path, file, signal),
        async head(most) {
          const { buffer, bytesRead } = await file.read(Buffer.alloc(most), 0, most, 0);
          return buffer.subarray(0, bytesRead);
        },
        close: () => file.close().catch(() => {}),
      };
    } catch (error) {
      await file.close();
      throw error;
    }
  } catch (error) {
    signal.throwIfAborted();
    throw unreadable(path, error);
  }
}

/** The bytes of a file, opened when they are read. Rejects as {@link openSourceFile} does. */
export async function* sourceBytes(path: string): AsyncGenerator<Uint8Array> {
  const file = await openSourceFile(path, new AbortController().signal);
  try {
    yield* file.bytes;
  } finally {
    await file.close();
  }
}

async function* bytesOf(path: string, fd: FileHandle, signal: AbortSignal) {
  // Opened when it is read: an abort before would be an error that no one hears.
  yield* createReadStream(path, { fd, start: 0, highWaterMark: together, signal });
}

const otherFile = { remedy: "Choose another file." };

/** The error of a file that cannot be read. */
export function unreadable(path: string, error: unknown): AppError<"source"> {
  if (isAppError(error, "source")) return error;
  return new AppError("source", "usage", `${path} ${refusal(codeOf(error))}`, {
    remedy: "Check the path and its permissions, or choose another file.",
  });
}

function refusal(code: string): string {
  switch (code) {
    case "ENOENT":
    case "ENOTDIR":
      return "does not exist";
    case "EISDIR":
      return "is a folder";
    case "EACCES":
    case "EPERM":
      return "cannot be read: you do not have permission";
    case "ERR_FS_FILE_TOO_LARGE":
      return "is too large: more than 2 GB";
    default:
      return `cannot be read: the system answered ${code}`;
  }
}
