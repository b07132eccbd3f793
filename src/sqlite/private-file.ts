/**
 * Checks that only this user can access the folder and file of a database, and identifies the kind
 * of disk.
 */
import {
  closeSync,
  constants,
  fchmodSync,
  lstatSync,
  openSync,
  statfsSync,
  statSync,
} from "node:fs";
import { join } from "node:path";
import { accessProblem, makeFolder } from "../files/private.ts";
import { codeOf } from "../text/disk-words.ts";
import { shellQuote } from "../text/shell-quote.ts";
import { type FileKind, fileError } from "./file-error.ts";

/**
 * Creates the folder (0700) and the file (0600) if they are missing, and returns the path of the
 * file. The file is created before SQLite opens it, because SQLite creates its -wal and -shm files
 * with the mode of the main file. Throws a file error
 * `exposed` or `corrupt`, or the system's error.
 */
export function prepareFiles(folder: string, kind: FileKind): string {
  makeFolder(folder);
  checkPrivate(folder, "folder", kind);
  const path = join(folder, kind.file);
  let descriptor: number | null = null;
  try {
    const flags = constants.O_CREAT | constants.O_EXCL | constants.O_RDWR | constants.O_NOFOLLOW;
    descriptor = openSync(path, flags, 0o600);
    fchmodSync(descriptor, 0o600);
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  } finally {
    if (descriptor !== null) closeSync(descriptor);
  }
  checkFiles(folder, kind);
  return path;
}

/**
 * Checks that only this user can access the database in a folder and the files that SQLite stores
 * beside it. Throws a file error `exposed` or `corrupt`, or the system's error.
 */
export function checkFiles(folder: string, kind: FileKind): void {
  checkPrivate(folder, "folder", kind);
  const path = join(folder, kind.file);
  checkPrivate(path, "file", kind);
  throwIfHardLinked(path, kind);
  for (const name of ["-wal", "-shm", "-journal"]) checkCompanion(`${path}${name}`, kind);
}

/**
 * Checks a file that SQLite writes beside the database. If the file were a hard link, SQLite would
 * write to the other file.
 */
function checkCompanion(path: string, kind: FileKind): void {
  try {
    checkPrivate(path, "file", kind);
    throwIfHardLinked(path, kind);
  } catch (error) {
    // Another process can remove these files between two checks, when it closes the database.
    if (codeOf(error) === "ENOENT") return;
    throw error;
  }
}

/**
 * Throws for a file with two names (a hard link). SQLite stores the newest rows and the locks by
 * name. SQLite would treat the file as two databases, and a journal entry could be sent under each
 * name. The remedy makes a separate copy for this name.
 */
function throwIfHardLinked(path: string, kind: FileKind): void {
  if (lstatSync(path).nlink < 2) return;
  const [from, to] = [shellQuote(path), shellQuote(`${path}.copy`)];
  const words = `The ${kind.noun}'s file ${path} has a second name elsewhere (a hard link); it is not used. Give it a file of its own while no other supplyline runs.`;
  throw fileError(kind, "exposed", path, words, { fix: `cp -p ${from} ${to} && mv ${to} ${from}` });
}

/** Throws a file error if others can access a file or folder, or if it has another type. */
function checkPrivate(path: string, type: "folder" | "file", kind: FileKind): void {
  const { noun } = kind;
  const link = lstatSync(path);
  // If the path of the folder is a link, the access to the target is checked.
  const stats = type === "folder" && link.isSymbolicLink() ? statSync(path) : link;
  const problem = accessProblem(type, path, stats, link);
  if (problem === null) return;
  const words = `The ${noun}'s ${type} ${path} ${problem.words}; ${kind.holds}.`;
  const { fix } = problem;
  throw fileError(kind, problem.kind === "other" ? "corrupt" : "exposed", path, words, { fix });
}

export function fileAt(path: string): string | null {
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? null : `${stats.dev}/${stats.ino}`;
}

/** The statfs types of file systems whose shared memory or locks do not suffice for WAL. */
const networkTypes: ReadonlySet<number> = new Set([
  0x6969, // nfs
  0x517b, // smb
  0xff534d42, // cifs
  0xfe534d42, // smb2
  0x5346414f, // afs
  0x6b414653, // kafs
  0x01021997, // 9p
  0x65735546, // fuse: also network file systems such as sshfs
  0x00c36400, // ceph
  0x0bd00bd0, // lustre
  0x47504653, // gpfs
  0x786f4256, // vboxsf
  0x73757245, // coda
]);

/** Returns the statfs type of a folder's file system, or null if the system does not report it. */
export function filesystemType(folder: string): number | null {
  try {
    return statfsSync(folder).type;
  } catch {
    return null;
  }
}

export function isNetworkFilesystem(type: number | null): boolean {
  // Some systems report types above 2^31 as negative numbers.
  return type !== null && networkTypes.has(type >>> 0);
}
