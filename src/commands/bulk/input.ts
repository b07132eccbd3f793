import { createWriteStream } from "node:fs";
import { chmod, readdir, rm, stat } from "node:fs/promises";
import { basename, dirname, join, parse, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import { type FileSource, sourceBytes } from "../../bulk/source.ts";
import { type AppError, isAppError } from "../../errors/app-error.ts";
import { makeFolder } from "../../files/private.ts";
import type { Folders } from "../../settings/folders.ts";
import { codeOf, diskWords } from "../../text/disk-words.ts";
import { dayMs } from "../../text/durations.ts";
import { usageError } from "../command-error.ts";
import type { Invocation } from "../invocation.ts";
import type { Io } from "../io.ts";
import { describeReadError, openBytes } from "../read-input.ts";

/** An input of a bulk run. Disposing it removes the copy of the input, unless `keep` was called. */
export interface Input extends AsyncDisposable {
  readonly name: string;
  /** The rows, or null for an input that a dry run can read only once and does not copy. */
  readonly source: FileSource | null;
  /** Yields the bytes of the input. Rejects with a source error, or a command error `usage`. */
  bytes(): AsyncIterable<Uint8Array>;
  readonly results: string;
  /** Lets the copy stay on disk, because the run needs it until all its rows are recorded. */
  keep(): void;
}

/**
 * Opens the input that `--from` names. An input that can be read only once (standard input, a pipe)
 * is first copied into the state folder, where only this user can read it. A dry run copies
 * nothing. Throws `usage` if the input cannot be read.
 */
export async function openInput(
  invocation: Invocation,
  from: string,
  isDry: boolean,
): Promise<Input> {
  const { io } = invocation;
  const kind = from === "-" ? "stream" : await kindOf(from);
  if (kind === "file") {
    const source = { kind: "file", path: resolve(from) } as const;
    return inputOf(io, from, source, defaultResultsPath(from));
  }
  const name = from === "-" ? "standard input" : from;
  const content = () => (from === "-" ? io.stdin : pipeBytes(from, io.signal));
  if (isDry) {
    return { ...inputOf(io, name, null, ""), bytes: content };
  }
  try {
    return await copyInput(invocation, { name, kind: "stdin", content: content() });
  } catch (error) {
    io.signal.throwIfAborted();
    throw unreadable(name, error);
  }
}

/** An input that can be read only once. The file name of its copy begins with `kind`. */
interface SinglePassInput {
  readonly name: string;
  readonly kind: "stdin" | "where";
  readonly content: AsyncIterable<string | Uint8Array>;
}

/**
 * Copies an input that can be read only once into the state folder, where only this user can read
 * it. If reading fails, rejects with that error and leaves no copy.
 */
export async function copyInput(
  { io, folders }: Invocation,
  { name, kind, content }: SinglePassInput,
): Promise<Input> {
  const folder = await runsFolder(folders);
  await removeForgotten(folder, io.clock.now());
  const stem = join(
    folder,
    `${kind}-${new Date(io.clock.now()).toISOString().replace(/[^0-9]/g, "")}-${io.pid}`,
  );
  const path = `${stem}.input`;
  try {
    const copy = createWriteStream(path, { flags: "wx", mode: 0o600 });
    await pipeline(content, copy, { signal: io.signal });
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
  return inputOf(io, name, { kind: "copy", path }, `${stem}.results.csv`);
}

function inputOf(io: Io, name: string, source: FileSource | null, results: string): Input {
  let isKept = false;
  return {
    name,
    source,
    results,
    async *bytes() {
      if (source !== null) yield* sourceBytes(source, io.signal);
    },
    keep() {
      isKept = true;
    },
    async [Symbol.asyncDispose]() {
      if (source?.kind === "copy" && !isKept) await rm(source.path, { force: true });
    },
  };
}

async function* pipeBytes(path: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  try {
    yield* openBytes(path, signal);
  } catch (error) {
    signal.throwIfAborted();
    throw unreadable(path, error);
  }
}

/**
 * Age in milliseconds after which a forgotten copy is removed. A killed process leaves its copy,
 * which contains personal data.
 */
const forgottenMs = 30 * dayMs;

async function removeForgotten(folder: string, now: number): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.endsWith(".input")) continue;
    const path = join(folder, name);
    const stats = await stat(path).catch(() => null);
    if (stats !== null && now - stats.mtimeMs > forgottenMs) await rm(path, { force: true });
  }
}

/** Creates the folder for copied inputs and their results, with mode 0700, and returns its path. */
async function runsFolder({ stateDir }: Folders): Promise<string> {
  const folder = join(stateDir, "runs");
  try {
    makeFolder(folder);
    await chmod(folder, 0o700);
  } catch (error) {
    throw usageError(`${folder} cannot be made: ${diskWords(codeOf(error))}`, "Nothing was sent.");
  }
  return folder;
}

/** Returns if a path can be read again. Throws `usage` for a folder. */
async function kindOf(path: string): Promise<"file" | "stream"> {
  try {
    const stats = await stat(path);
    if (stats.isDirectory()) throw usageError(`cannot read ${path}: it is a folder`);
    // A path such as /dev/stdin can be a file, but results cannot be written next to it.
    const isNamedByKernel = /^\/(?:dev(?!\/shm)|proc)\//.test(resolve(path));
    return stats.isFile() && !isNamedByKernel ? "file" : "stream";
  } catch (error) {
    throw unreadable(path, error);
  }
}

function defaultResultsPath(from: string): string {
  return join(dirname(from), `${parse(basename(from)).name}.results.csv`);
}

function unreadable(name: string, error: unknown): AppError<"command"> {
  if (isAppError(error, "command")) return error;
  const why = describeReadError(error);
  return usageError(`cannot read ${name}: ${why}`, "Nothing was sent.");
}
