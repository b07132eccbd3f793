/** Checks the type, version and integrity of a database file before anything is read from it. */
import type { DatabaseSync } from "node:sqlite";
import { Damage, type FileKind, fileError, LaterVersion } from "./file-error.ts";
import { text, whole } from "./rows.ts";

/** Throws if a database is damaged, or if it does not have this kind and version. */
export function checkReadable(database: DatabaseSync, path: string, kind: FileKind): void {
  checkFileType(database, path, kind);
  refuseLater(database, kind);
  if (isEarlier(database, kind)) {
    const words = `The ${kind.noun} ${path} was made by an earlier version, and cannot be updated because it cannot be written.`;
    throw fileError(kind, "read-only", path, words);
  }
  refuseDamaged(database);
}

/** Throws LaterVersion for a file that a later version of this program has created or updated. */
export function refuseLater(database: DatabaseSync, { steps }: FileKind): void {
  if (pragma(database, "user_version") > steps.length) throw new LaterVersion();
}

function isEarlier(database: DatabaseSync, { steps }: FileKind): boolean {
  return pragma(database, "user_version") < steps.length;
}

/** Throws a file error if the file is neither new nor of this kind. */
export function checkFileType(database: DatabaseSync, path: string, kind: FileKind): void {
  const application = pragma(database, "application_id");
  if (application === 0 || application === kind.applicationId) return;
  throw fileError(kind, "corrupt", path, `${path} belongs to another program.`);
}

export function pragma(database: DatabaseSync, name: string): number {
  const row = database.prepare(`PRAGMA ${name}`).get();
  return row === undefined ? 0 : whole(row, name);
}

/** Reads the whole file, and throws Damage if SQLite finds damage. */
export function refuseDamaged(database: DatabaseSync): void {
  const row = database.prepare("PRAGMA quick_check(1)").get();
  const said = row === undefined ? "no answer" : text(row, "quick_check");
  if (said === "ok") return;
  throw new Damage(said);
}
