/** Opens the input of a run. */
import { createWriteStream } from "node:fs";
import { chmod, readdir, rm, stat } from "node:fs/promises";
import { basename, dirname, join, parse, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import { type AppError, isAppError } from "../../errors/app-error.ts";
import { makeFolder } from "../../files/private.ts";
import { places } from "../../settings/places.ts";
import { codeOf, diskWords } from "../../text/disk-words.ts";
import { dayMs } from "../../text/durations.ts";
import { usageError } from "../command-error.ts";
import type { Io } from "../io.ts";
import { openBytes, unreadWords } from "../read-input.ts";

/** An input of many rows, which is read twice: to check all of it, and to record it. */
export interface Input {
  /** As people named it. */
  readonly name: string;
  /** As the journal keeps it: an absolute path, or `-`. */
  readonly source: string;
  /** Its bytes from the beginning. Rejects with a command error `usage` where they cannot be read. */
  bytes(): AsyncIterable<Uint8Array>;
  /** The copy of an input that can be read only once, or null for a file. */
  readonly copy: string | null;
  /** Default path of the results. */
  readonly results: string;
}

/**
 * Opens the input that a command line names. Input that can be read only once (standard input, a
 * pipe) is first copied into the state folder, where only this user can read it. Throws `usage`.
 */
export async function openInput(io: Io, from: string): Promise<Input> {
  const kind = from === "-" ? "stream" : await kindOf(from);
  if (kind === "file") {
    const source = resolve(from);
    return {
      name: from,
      source,
      bytes: () => fileBytes(source, from, io.signal),
      copy: null,
      results: beside(from),
    };
  }
  const name = nameOf(from);
  try {
    const content = from === "-" ? io.stdin : openBytes(from, io.signal);
    return await copyInput(io, { name, kind: "stdin", content });
  } catch (error) {
    io.signal.throwIfAborted();
    throw unreadable(name, error);
  }
}

/** An input that can be read only once, and the name of its copy. */
interface ToCopy {
  readonly name: string;
  readonly kind: "stdin" | "where";
  readonly content: AsyncIterable<string | Uint8Array>;
}

/**
 * Copies what can be read only once into the state folder, for this user alone. Rejects with what
 * reading it rejects with; there is no copy then.
 */
export async function copyInput(io: Io, { name, kind, content }: ToCopy): Promise<Input> {
  const folder = await runsFolder(io);
  await removeForgotten(folder, io.clock.now());
  const stem = join(
    folder,
    `${kind}-${new Date(io.clock.now()).toISOString().replace(/[^0-9]/g, "")}-${io.pid}`,
  );
  const copy = `${stem}.input`;
  try {
    const into = createWriteStream(copy, { flags: "wx", mode: 0o600 });
    await pipeline(content, into, { signal: io.signal });
  } catch (error) {
    await rm(copy, { force: true });
    throw error;
  }
  return {
    name,
    source: "-",
    bytes: () => fileBytes(copy, name, io.signal),
    copy,
    results: `${stem}.results.csv`,
  };
}

/** The input of a dry run: it is read only once, so nothing is copied. */
export async function passingInput(io: Io, from: string): Promise<Pick<Input, "name" | "bytes">> {
  if (from !== "-") await kindOf(from);
  const name = nameOf(from);
  return { name, bytes: () => (from === "-" ? io.stdin : fileBytes(from, name, io.signal)) };
}

/** The bytes of a file; `name` is for people. Rejects with `usage`, and with the signal's reason. */
export async function* fileBytes(
  path: string,
  name: string,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  try {
    yield* openBytes(path, signal);
  } catch (error) {
    signal.throwIfAborted();
    throw unreadable(name, error);
  }
}

/** A copy is left only where a process was killed; what it holds is personal data. */
const forgottenMs = 30 * dayMs;

async function removeForgotten(folder: string, now: number): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.endsWith(".input")) continue;
    const path = join(folder, name);
    const found = await stat(path).catch(() => null);
    if (found !== null && now - found.mtimeMs > forgottenMs) await rm(path, { force: true });
  }
}

/** The folder for what runs keep that have no file of their own; 0700. */
async function runsFolder(io: Io): Promise<string> {
  const folder = join(places(io.env, io.home).stateDir, "runs");
  try {
    makeFolder(folder);
    await chmod(folder, 0o700);
  } catch (error) {
    throw usageError(`${folder} cannot be made: ${diskWords(codeOf(error))}`, "Nothing was sent.");
  }
  return folder;
}

async function kindOf(path: string): Promise<"file" | "stream"> {
  try {
    const found = await stat(path);
    if (found.isDirectory()) throw usageError(`cannot read ${path}: it is a folder`);
    // A shell's redirection is a file, too, but not one that results can stand beside.
    const isNamedByKernel = /^\/(?:dev(?!\/shm)|proc)\//.test(resolve(path));
    return found.isFile() && !isNamedByKernel ? "file" : "stream";
  } catch (error) {
    throw unreadable(path, error);
  }
}

function nameOf(from: string): string {
  return from === "-" ? "standard input" : from;
}

/** `notes.csv` → `notes.results.csv`. */
function beside(from: string): string {
  return join(dirname(from), `${parse(basename(from)).name}.results.csv`);
}

function unreadable(name: string, error: unknown): AppError<"command"> {
  if (isAppError(error, "command")) return error;
  const why = unreadWords(error);
  return usageError(`cannot read ${name}: ${why}`, "Nothing was sent.");
}
