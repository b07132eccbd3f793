/** Opens database files only for reading, even if the disk is full or read-only. */
import { copyFileSync, existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import type { FileErrorKind } from "../errors/app-error.ts";
import { checkReadable, migrate } from "./check-file.ts";
import { type FileKind, fileErrorOf } from "./file-error.ts";
import { checkFiles } from "./private-file.ts";

const unwritable: readonly FileErrorKind[] = ["full", "read-only", "failing"];

/** Returns true if an error prevents only writing, as far as its kind shows. */
export function isOnlyUnwritable(kind: FileErrorKind): boolean {
  return unwritable.includes(kind);
}

/** A database that can only be read, perhaps from a copy. `remove` deletes the copy. */
interface ReadOnlyFile {
  readonly database: DatabaseSync;
  readonly remove: () => void;
}

/**
 * Opens the file of a kind for reading. Returns null if the file is empty or missing. Throws errors
 * of SQLite or the system, a file error, LaterVersion and Damage.
 */
export async function openFileToRead(folder: string, kind: FileKind): Promise<ReadOnlyFile | null> {
  const path = join(folder, kind.file);
  if (sizeOf(path) + sizeOf(`${path}-wal`) === 0) return null;
  return openReadable(path, kind, await openerOf(folder, kind));
}

/** Opens a database from a path or URL. A copy is writable, and is updated first. */
type Opener = (source: string | URL, options?: { readonly isCopy: boolean }) => DatabaseSync;

async function openerOf(folder: string, kind: FileKind): Promise<Opener> {
  const path = join(folder, kind.file);
  checkFiles(folder, kind);
  const { DatabaseSync } = await import("node:sqlite");
  return (source, { isCopy } = { isCopy: false }) => {
    const database = new DatabaseSync(source, { readOnly: !isCopy, timeout: 250 });
    try {
      // After the update, a file of an earlier version can be read like a current one.
      if (isCopy) migrate(database, path, kind, false);
      checkReadable(database, path, kind);
      return database;
    } catch (error) {
      database.close();
      throw error;
    }
  };
}

/**
 * Opens a file for reading. SQLite reads a write-ahead log through a shared-memory file, which
 * SQLite cannot create on a disk that cannot be written. If the log is empty, only the main file is
 * read there. Otherwise a copy of both is read, because the log has the newest rows. A file of an
 * earlier version is also read from a copy, because the copy can be updated.
 */
function openReadable(path: string, kind: FileKind, open: Opener): ReadOnlyFile {
  const mainFileOnly = pathToFileURL(path);
  mainFileOnly.searchParams.set("immutable", "1");
  for (const source of sizeOf(`${path}-wal`) === 0 ? [path, mainFileOnly] : [path]) {
    try {
      return { database: open(source), remove: () => {} };
    } catch (error) {
      const reason = fileErrorOf(error, path, kind);
      if (reason === null || !isOnlyUnwritable(reason.kind)) throw error;
    }
  }
  return openInFolder(tmpdir(), path, kind, open);
}

/** The folders for copies, in order. The second is in memory, with space when disks are full. */
const copyFolders = () => [tmpdir(), "/dev/shm"].filter((folder) => existsSync(folder));

/**
 * Opens a copy of a file that cannot be written. The copy can be changed, and `remove` deletes it.
 * Returns null if there is no space for a copy. Throws the errors of {@link openFileToRead}.
 */
export async function openFileCopy(folder: string, kind: FileKind): Promise<ReadOnlyFile | null> {
  const open = await openerOf(folder, kind);
  for (const copies of copyFolders()) {
    try {
      return openInFolder(copies, join(folder, kind.file), kind, open);
    } catch (error) {
      const reason = fileErrorOf(error, join(copies, kind.file), kind);
      if (reason === null || !isOnlyUnwritable(reason.kind)) throw error;
    }
  }
  return null;
}

function openInFolder(parent: string, path: string, kind: FileKind, open: Opener): ReadOnlyFile {
  const folder = mkdtempSync(join(parent, "supplyline-reading-"));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    return { database: open(copyInto(folder, path, kind.file), { isCopy: true }), remove };
  } catch (error) {
    remove();
    throw error;
  }
}

const maxCopyTries = 5;

/** Copies the file with its log. Repeats the copy if the files changed meanwhile. */
function copyInto(folder: string, path: string, name: string): string {
  const copy = join(folder, name);
  for (let tries = 1; ; tries++) {
    const before = stateOf(path);
    for (const suffix of ["", "-wal"])
      if (existsSync(path + suffix)) copyFileSync(path + suffix, copy + suffix);
    if (stateOf(path) === before || tries === maxCopyTries) return copy;
  }
}

function stateOf(path: string): string {
  return ["", "-wal"]
    .map((suffix) => statSync(path + suffix, { throwIfNoEntry: false }))
    .map((stats) => `${stats?.size} ${stats?.mtimeMs}`)
    .join(" ");
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
