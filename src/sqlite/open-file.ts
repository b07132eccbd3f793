/** Opens a private database file, even if other processes open the file at the same time. */
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { setTimeout as pause } from "node:timers/promises";
import { log } from "../log/log.ts";
import { migrate, pragma, throwIfDamaged, throwIfLaterVersion } from "./check-file.ts";
import { tenths } from "./commit-log.ts";
import { type FileKind, fileError, fileErrorOf, isBusy } from "./file-error.ts";
import { isOnlyUnwritable, openFileToRead } from "./open-to-read.ts";
import { fileAt, filesystemType, isNetworkFilesystem, prepareFiles } from "./private-file.ts";
import { text } from "./rows.ts";

export interface OpenFileOptions {
  /** Ends the wait for other processes. The opening then rejects with the reason of the signal. */
  readonly signal?: AbortSignal;
  /** Called once if other processes have blocked the opening for about a second. */
  readonly onWait?: () => void;
  /** Returns the statfs number of a folder's file system. Default: {@link filesystemType}. */
  readonly filesystem?: (folder: string) => number | null;
  /**
   * True if the thread also handles keys. Then an up-to-date file is not locked, and the integrity
   * of a large file is not checked. Default: false.
   */
  readonly isQuick?: boolean;
}

/** The journal mode of SQLite: `delete` if the disk is a network file system, otherwise `wal`. */
export type FileMode = "wal" | "delete";

export interface OpenFile {
  readonly database: DatabaseSync;
  readonly path: string;
  readonly mode: FileMode;
  /** Throws a file error if the file is gone or replaced, because later data would be lost. */
  readonly check: () => void;
}

/** Maximum wait inside SQLite, which blocks the event loop. Longer waits are between calls. */
const busyMs = 250;

/** Maximum number of tries of a step, about a minute. */
const maxTries = 200;
/** The number of failed tries, about a second, after which the wait is reported. */
const triesBeforeNotice = 4;

/**
 * Opens the file of a kind in a folder, or creates both. Loads node:sqlite at the call. If the kind
 * allows it, an unwritable file is opened for reading, and its `check` throws the reason. Rejects
 * with errors of SQLite or the system, a file error, LaterVersion and Damage.
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
    const reason = fileErrorOf(error, path, kind);
    if (!kind.opensReadOnly || reason === null || !isOnlyUnwritable(reason.kind)) throw error;
    const file = await openFileToRead(folder, kind);
    if (file === null) throw error;
    // The copy, if there is one, is removed at once. An open file is readable after its removal.
    file.remove();
    const check = () => {
      throw reason;
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
  const began = performance.now();
  const path = prepareFiles(folder, kind);
  const { DatabaseSync } = await import("node:sqlite");
  const file = fileAt(path);
  const database = new DatabaseSync(path, { timeout: busyMs });
  try {
    const wantedMode = isNetworkFilesystem(filesystem(folder)) ? "delete" : "wal";
    const retry = retryWhileBusy(options);
    await retry(() => throwIfLaterVersion(database, kind));
    const mode = await retry(() => setUp(database, wantedMode));
    await retry(() => migrate(database, path, kind, options.isQuick === true));
    await retry(() => checkIntegrity(database, options.isQuick === true));
    log({ event: "file-opened", file: kind.file, mode, ms: tenths(performance.now() - began) });
    return { database, path, mode, check: () => throwIfMoved(path, file, kind) };
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Opens a database in memory, for this process only. Closing the database deletes the data. */
export async function openInMemory(kind: FileKind): Promise<OpenFile> {
  return (await memoryFiles(kind))();
}

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
function throwIfMoved(path: string, file: string | null, kind: FileKind): void {
  if (fileAt(path) === file) return;
  const words = `Nothing can be recorded in ${path}: the file was deleted, moved or replaced while it was in use. End this program and start it again.`;
  throw fileError(kind, "failing", path, words);
}

/**
 * Returns a function that repeats a step of the opening while other processes lock the file. These
 * processes might be opening the file, too.
 */
export function retryWhileBusy({
  signal,
  onWait,
}: Pick<OpenFileOptions, "signal" | "onWait"> = {}): <T>(step: () => T) => Promise<T> {
  let waits = 0;
  return async (step) => {
    for (let tries = 1; ; tries++) {
      try {
        return step();
      } catch (error) {
        if (!isBusy(error) || tries >= maxTries) throw error;
      }
      waits += 1;
      if (waits === triesBeforeNotice) onWait?.();
      signal?.throwIfAborted();
      await pause(10 + Math.random() * 40);
      signal?.throwIfAborted();
    }
  };
}

function setUp(database: DatabaseSync, wantedMode: FileMode): FileMode {
  const row = database.prepare(`PRAGMA journal_mode = ${wantedMode}`).get();
  const mode = row !== undefined && text(row, "journal_mode") === "wal" ? "wal" : "delete";
  // EXTRA also syncs the removal of a rollback journal. In WAL mode it equals FULL.
  database.exec(`PRAGMA synchronous = ${mode === "wal" ? "FULL" : "EXTRA"};
    PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON; PRAGMA trusted_schema = OFF;`);
  return mode;
}

/** Maximum pages of a file that is checked at each opening. Larger files are checked once a day. */
const maxSmallPages = 8_192;
/** Maximum size in pages of a file whose integrity is checked at a quick opening. */
const maxQuickPages = 256;
/** Seconds between two integrity checks of a large file. */
const checkIntervalS = 86_400;

/** Returns true for a small file, or if the last check of a large file was too long ago. */
function isCheckDue(database: DatabaseSync): boolean {
  if (pragma(database, "page_count") <= maxSmallPages) return true;
  const last = database
    .prepare("SELECT 1 FROM whole_check WHERE at > unixepoch() - ? AND at <= unixepoch()")
    .get(checkIntervalS);
  return last === undefined;
}

/**
 * Checks the integrity of a file if the check is due, and stores the time of a successful check of
 * a large file. The duration of the check is in proportion to the size of the file.
 */
function checkIntegrity(database: DatabaseSync, isQuick: boolean): void {
  if (isQuick && pragma(database, "page_count") > maxQuickPages) return;
  if (!isCheckDue(database)) return;
  throwIfDamaged(database);
  if (pragma(database, "page_count") <= maxSmallPages) return;
  database.exec("DELETE FROM whole_check; INSERT INTO whole_check VALUES (unixepoch())");
}
