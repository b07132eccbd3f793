/**
 * Checks the type, version and integrity of a database file before anything is read from it, and
 * updates a file of an earlier version.
 */
import type { DatabaseSync } from "node:sqlite";
import { Damage, type FileKind, fileError, LaterVersion, moveAway } from "./file-error.ts";
import { text, whole } from "./rows.ts";

/** Throws if a database is damaged, or if it does not have this kind and version. */
export function checkReadable(database: DatabaseSync, path: string, kind: FileKind): void {
  checkFileType(database, path, kind);
  throwIfLaterVersion(database, kind);
  if (pragma(database, "user_version") < currentVersion(kind)) {
    const words = `The ${kind.noun} ${path} was made by an earlier version, and cannot be updated because it cannot be written.`;
    throw fileError(kind, "read-only", path, words);
  }
  throwIfDamaged(database);
}

/**
 * Updates a file to the current version inside one transaction. If two processes start together,
 * only one updates it. Throws a file error, LaterVersion, or an error of SQLite.
 */
export function migrate(
  database: DatabaseSync,
  path: string,
  kind: FileKind,
  isQuick: boolean,
): void {
  const { steps, firstVersion, applicationId } = kind;
  const current = currentVersion(kind);
  // A quick opening of an up-to-date file does not wait for other processes.
  if (isQuick && pragma(database, "user_version") === current) {
    checkFileType(database, path, kind);
    return;
  }
  database.exec("BEGIN IMMEDIATE");
  try {
    const version = pragma(database, "user_version");
    checkFileType(database, path, kind);
    throwIfLaterVersion(database, kind);
    for (const step of version === 0 ? steps : steps.slice(version - firstVersion + 1)) {
      if (typeof step === "string") database.exec(step);
      else step(database);
    }
    if (version < current) {
      database.exec(`PRAGMA user_version = ${current}; PRAGMA application_id = ${applicationId}`);
    }
    database.exec("COMMIT");
  } catch (error) {
    if (database.isTransaction) database.exec("ROLLBACK");
    throw error;
  }
}

/** Throws LaterVersion for a file that a later version of this program has created or updated. */
export function throwIfLaterVersion(database: DatabaseSync, kind: FileKind): void {
  if (pragma(database, "user_version") > currentVersion(kind)) throw new LaterVersion();
}

/** Returns the version of a file that has had every step. */
export function currentVersion({ firstVersion, steps }: FileKind): number {
  return firstVersion + steps.length - 1;
}

/** Throws a file error if the file is neither new nor of this kind and a published version. */
function checkFileType(database: DatabaseSync, path: string, kind: FileKind): void {
  const application = pragma(database, "application_id");
  if (application !== 0 && application !== kind.applicationId)
    throw fileError(kind, "corrupt", path, `${path} belongs to another program.`);
  const version = pragma(database, "user_version");
  if (version === 0 || version >= kind.firstVersion) return;
  const words = `The ${kind.noun} ${path} was made by a version that was never published, and cannot be read. Move it away to begin a new one.`;
  throw fileError(kind, "corrupt", path, words, { fix: moveAway(path) });
}

/** Reads the whole file, and throws Damage if SQLite finds damage. */
export function throwIfDamaged(database: DatabaseSync): void {
  const row = database.prepare("PRAGMA quick_check(1)").get();
  const result = row === undefined ? "no result" : text(row, "quick_check");
  if (result !== "ok") throw new Damage(result);
}

/** Returns the value of a pragma as a number, or 0 if the pragma has no value. */
export function pragma(database: DatabaseSync, name: string): number {
  const row = database.prepare(`PRAGMA ${name}`).get();
  return row === undefined ? 0 : whole(row, name);
}
