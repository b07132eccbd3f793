/**
 * Opens a private database file of the state folder, even if other processes open it at the same
 * time.
 */
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { setTimeout as pause } from "node:timers/promises";
import { migrate, pragma, refuseDamaged, refuseLater } from "./check-file.ts";
import { type FileKind, fileError, fileErrorOf, isBusy } from "./file-error.ts";
import { isOnlyUnwritable, openFileToRead } from "./open-to-read.ts";
import { fileAt, filesystemType, isNetworkFilesystem, prepareFiles } from "./private-file.ts";
import { text } from "./rows.ts";

export interface OpenFileOptions {
  /** Ends the wait for other processes. The opening then rejects with the reason of the signal. */
  readonly signal?: AbortSignal;
  /** Called once if other processes have blocked the opening for about a second. */
  readonly onWait?: () => void;
  /** Returns the statfs number of a folder's file system. Default: the system's answer. */
  readonly filesystem?: (folder: string) => number | null;
  /**
   * True if the thread also handles keys. Then a file that is up to date is not locked, and the
   * integrity check of a large file is left to another opening. Default: false.
   */
  readonly isQuick?: boolean;
}

/** The journal mode of SQLite: `delete` if the disk is a network file system, otherwise `wal`. */
export type FileMode = "wal" | "delete";

export interface OpenFile {
  readonly database: DatabaseSync;
  readonly path: string;
  readonly mode: FileMode;
  /**
   * Throws a file error if the file was deleted, moved or replaced, because new data would be lost.
   */
  readonly check: () => void;
}

/**
 * Maximum wait of SQLite inside a call, which blocks the event loop. Longer waits do not block it.
 */
const busyMs = 250;

const openTries = 200;
/** The number of failed tries, about a second, after which the wait is reported. */
const quietTries = 4;

/**
 * Opens the file of a kind in a folder, or creates both. Loads node:sqlite only when it is called.
 * If the kind allows it, an unwritable file is opened for reading, and its `check` throws the
 * reason. Rejects with errors of SQLite or the system, a file error, LaterVersion and Damage.
 */
export async function openFile(
  folder: string,
  kind: FileKind,
  options: OpenFileOptions = {},
): Promise<OpenFile> {
  try {
    return await openToWrite(folder, kind, options);
  } catch (error) {
    const path = join(folder, kind.file);
    const why = fileErrorOf(error, path, kind);
    if (!kind.isReadUnwritable || why === null || !isOnlyUnwritable(why.kind)) throw error;
    const file = await openFileToRead(folder, kind);
    if (file === null) throw error;
    // An open file stays readable after its removal. It is removed at once, so that no copy stays
    // on the disk.
    file.remove();
    const check = () => {
      throw why;
    };
    return { database: file.database, path, mode: "delete", check };
  }
}

async function openToWrite(
  folder: string,
  kind: FileKind,
  options: OpenFileOptions,
): Promise<OpenFile> {
  const { filesystem = filesystemType } = options;
  const path = prepareFiles(folder, kind);
  const { DatabaseSync } = await import("node:sqlite");
  const file = fileAt(path);
  const database = new DatabaseSync(path, { timeout: busyMs });
  try {
    const wanted = isNetworkFilesystem(filesystem(folder)) ? "delete" : "wal";
    const patiently = retryWhileBusy(options);
    await patiently(() => refuseLater(database, kind));
    const mode = await patiently(() => setUp(database, wanted));
    await patiently(() => migrate(database, path, kind, options.isQuick === true));
    await patiently(() => checkIntegrity(database, options.isQuick === true));
    return { database, path, mode, check: () => refuseMoved(path, file, kind) };
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Opens a database in memory. Only this process can use it, and it is lost when closed. */
export async function openInMemory(kind: FileKind): Promise<OpenFile> {
  return (await memoryFiles(kind))();
}

/** Returns a function that opens a database in memory synchronously. */
export async function memoryFiles(kind: FileKind): Promise<() => OpenFile> {
  const { DatabaseSync } = await import("node:sqlite");
  const path = `the ${kind.noun} in memory`;
  return () => {
    const database = new DatabaseSync(":memory:");
    database.exec("PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF;");
    migrate(database, path, kind, false);
    return { database, path, mode: "delete", check: () => {} };
  };
}

/**
 * Throws if the file was deleted, moved or replaced. SQLite would continue to write to the old
 * file, and the data would be lost.
 */
function refuseMoved(path: string, file: string | null, kind: FileKind): void {
  if (fileAt(path) === file) return;
  const words = `Nothing can be recorded in ${path}: the file was deleted, moved or replaced while it was in use. End this program and start it again.`;
  throw fileError(kind, "failing", path, words);
}

/**
 * Returns a function that repeats a step of the opening while other processes block it. They might
 * be opening the file too.
 */
export function retryWhileBusy({
  signal,
  onWait,
}: Pick<OpenFileOptions, "signal" | "onWait"> = {}): <T>(step: () => T) => Promise<T> {
  let waits = 0;
  return async (step) => {
    for (let n = 1; ; n++) {
      try {
        return step();
      } catch (error) {
        if (!isBusy(error) || n >= openTries) throw error;
      }
      waits += 1;
      if (waits === quietTries) onWait?.();
      signal?.throwIfAborted();
      await pause(10 + Math.random() * 40);
      signal?.throwIfAborted();
    }
  };
}

function setUp(database: DatabaseSync, wanted: FileMode): FileMode {
  const got = database.prepare(`PRAGMA journal_mode = ${wanted}`).get();
  const mode = got !== undefined && text(got, "journal_mode") === "wal" ? "wal" : "delete";
  // EXTRA also syncs the removal of a rollback journal. In WAL mode it equals FULL.
  database.exec(`PRAGMA synchronous = ${mode === "wal" ? "FULL" : "EXTRA"};
    PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON; PRAGMA trusted_schema = OFF;`);
  return mode;
}

/**
 * The maximum size in pages of a file whose integrity is checked at each opening. Larger files are
 * checked once a day.
 */
const smallPages = 8_192;
/** The maximum size in pages of a file whose integrity is checked at a quick opening. */
const quickPages = 256;
const checkEveryS = 86_400;

function isCheckDue(database: DatabaseSync): boolean {
  if (pragma(database, "page_count") <= smallPages) return true;
  const last = database
    .prepare("SELECT 1 FROM whole_check WHERE at > unixepoch() - ? AND at <= unixepoch()")
    .get(checkEveryS);
  return last === undefined;
}

/**
 * Checks the integrity of a file if that is due, and stores the time of a successful check of a
 * large file. The duration of the check is in proportion to the size of the file.
 */
function checkIntegrity(database: DatabaseSync, isQuick: boolean): void {
  if (isQuick && pragma(database, "page_count") > quickPages) return;
  if (!isCheckDue(database)) return;
  refuseDamaged(database);
  if (pragma(database, "page_count") <= smallPages) return;
  database.exec("DELETE FROM whole_check; INSERT INTO whole_check VALUES (unixepoch())");
}
