/**
 * Opens the input of a run as bytes: a file, a stored copy, or rows for accounts from the console.
 */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { constants, type FileHandle, open, stat } from "node:fs/promises";
import { AppError, isAppError } from "../errors/app-error.ts";
import { type JsonObject, toJson } from "../json/exact.ts";
import { codeOf } from "../text/disk-words.ts";
import type { RunRecord } from "./run-record.ts";

export interface AccountRows {
  readonly kind: "accounts";
  readonly supplier: string;
  /** Returns the account numbers, from the first with each call. */
  readonly numbers: () => Iterable<string>;
  readonly itemsOf: (number: string) => readonly JsonObject[];
}

export type RowSource =
  /** A file of the user, or a stored copy of an input that can be read only once. */
  { readonly kind: "file" | "copy"; readonly path: string } | AccountRows;

export function storedSource(source: RowSource, sha256: string): StoredSource {
  switch (source.kind) {
    case "file":
      return { source: source.path, sha256, reading: {} };
    case "copy":
      return { source: "-", sha256, reading: { copy: source.path } };
    case "accounts":
      return { source: "console", sha256: "", reading: {} };
  }
}

type StoredSource = Pick<RunRecord, "source" | "sha256" | "reading">;

/** Returns the source of a run, or null if its rows are only in the journal. */
export function sourceOf({
  source,
  reading,
}: Pick<StoredSource, "source" | "reading">): FileSource | null {
  const { copy } = reading;
  if (source === "-") return copy === undefined ? null : { kind: "copy", path: copy };
  return source === "console" ? null : { kind: "file", path: source };
}

export type FileSource = Exclude<RowSource, AccountRows>;

const chunkSize = 64 * 1024;

/** Yields the bytes of a source from its beginning. Rejects as {@link openSourceFile} does. */
export async function* sourceBytes(
  source: RowSource,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  if (source.kind === "accounts") {
    yield* accountBytes(source);
    return;
  }
  const file = await openSourceFile(source.path, signal);
  try {
    yield* file.bytes;
  } finally {
    await file.close();
  }
}

/** Returns the SHA-256 of a file, as hexadecimal. Rejects as {@link openSourceFile} does. */
export async function digestOf(path: string, signal: AbortSignal): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of sourceBytes({ kind: "file", path }, signal)) hash.update(chunk);
  return hash.digest("hex");
}

export function hashWhileReading(bytes: AsyncIterable<Uint8Array>) {
  const hash = createHash("sha256");
  let digest: string | null = null;
  let size = 0;
  async function* hashed(): AsyncGenerator<Uint8Array> {
    for await (const chunk of bytes) {
      hash.update(chunk);
      size += chunk.length;
      yield chunk;
    }
    digest = hash.digest("hex");
  }
  return {
    bytes: hashed(),
    size: () => size,
    /** Returns the SHA-256 as hexadecimal. Throws if the bytes have not been read to their end. */
    digest: () => {
      if (digest === null) throw new Error("The input has not been read to its end.");
      return digest;
    },
  };
}

async function* accountBytes(rows: AccountRows): AsyncGenerator<Uint8Array> {
  let text = "";
  for (const line of accountLines(rows)) {
    text += line;
    if (text.length < chunkSize) continue;
    yield Buffer.from(text);
    text = "";
  }
  if (text !== "") yield Buffer.from(text);
}

/** Yields each item of each account as a line of JSON, with exact digits. */
export function* accountLines({ supplier, numbers, itemsOf }: AccountRows): Generator<string> {
  for (const number of numbers())
    for (const item of itemsOf(number)) yield accountLine(supplier, number, item);
}

export function accountLine(supplier: string, number: string, item: JsonObject): string {
  return `${toJson({ import_supplier: supplier, external_account_number: number, ...item })}\n`;
}

export interface FileStamp {
  /** Size in bytes. */
  readonly size: number;
  /** Time of the last change, in epoch milliseconds. */
  readonly changedAt: number;
  /** The inode number. It differs if another file replaces this one. */
  readonly inode: number;
}

interface OpenedFile {
  readonly stamp: FileStamp;
  /** Yields all bytes once, and then closes the file. Rejects with the signal's reason. */
  readonly bytes: AsyncIterable<Uint8Array>;
  head(maxBytes: number): Promise<Uint8Array>;
  close(): Promise<void>;
}

/**
 * Opens a file for reading. Does not wait for a pipe or a device. Rejects with a source error if
 * the path is not a file or cannot be read.
 */
export async function openSourceFile(path: string, signal: AbortSignal): Promise<OpenedFile> {
  try {
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const stats = await file.stat();
      if (stats.isDirectory())
        throw new AppError("source", "usage", `${path} is a folder`, otherFile);
      if (!stats.isFile())
        throw new AppError(
          "source",
          "usage",
          `${path} is a pipe or a device, not a file`,
          otherFile,
        );
      return {
        stamp: { size: stats.size, changedAt: stats.mtimeMs, inode: stats.ino },
        bytes: bytesOf(path, file, signal),
        async head(maxBytes) {
          const { buffer, bytesRead } = await file.read(Buffer.alloc(maxBytes), 0, maxBytes, 0);
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

async function* bytesOf(path: string, fd: FileHandle, signal: AbortSignal) {
  // The stream is created when it is read, because an earlier abort would be an unhandled error.
  yield* createReadStream(path, { fd, start: 0, highWaterMark: chunkSize, signal });
}

const otherFile = { remedy: "Choose another file." };

export function unreadable(path: string, error: unknown): AppError<"source"> {
  if (isAppError(error, "source")) return error;
  return new AppError("source", "usage", `${path} ${problemOf(codeOf(error))}`, {
    remedy: "Check the path and its permissions, or choose another file.",
  });
}

function problemOf(code: string): string {
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

/** The comparison of a file with the checked one. `stamp` is null if the file is missing. */
export interface FileChange {
  readonly kind: "same" | "changed" | "missing";
  readonly stamp: FileStamp | null;
}

/**
 * Compares a file with the checked file: by its stamp, and by its digest if only the stamp differs.
 * `last` is the previous result, which is reused while the stamp is unchanged.
 */
export async function fileChange(
  {
    path,
    sha256,
    stamp,
  }: { readonly path: string; readonly sha256: string; readonly stamp: FileStamp },
  last: FileChange | null,
  signal: AbortSignal,
): Promise<FileChange> {
  const now = await stampOf(path);
  if (now === null) return { kind: "missing", stamp: null };
  if (isSameStamp(now, stamp)) return { kind: "same", stamp: now };
  if (last !== null && isSameStamp(now, last.stamp)) return last;
  if (sha256 === "" || now.size !== stamp.size) return { kind: "changed", stamp: now };
  const isUnchanged = (await digestOf(path, signal).catch(() => null)) === sha256;
  return { kind: isUnchanged ? "same" : "changed", stamp: now };
}

/** Returns the stamp of a file, or null if it does not exist or is unreachable. */
export async function stampOf(path: string): Promise<FileStamp | null> {
  try {
    const { size, mtimeMs, ino } = await stat(path);
    return { size, changedAt: mtimeMs, inode: ino };
  } catch (error) {
    // A file in an inaccessible folder counts as missing.
    if (codeOf(error) === "unknown") throw error;
    return null;
  }
}

export function isSameStamp(one: FileStamp | null, other: FileStamp | null): boolean {
  return (
    one !== null &&
    other !== null &&
    one.size === other.size &&
    one.changedAt === other.changedAt &&
    one.inode === other.inode
  );
}
