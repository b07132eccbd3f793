import type { DatabaseSync } from "node:sqlite";
import { checkFileType, pragma, refuseLater } from "./check-file.ts";
import type { FileKind } from "./file-error.ts";

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
  const { steps, applicationId } = kind;
  // Most files are up to date. Then a quick opening does not wait for other processes.
  if (isQuick && pragma(database, "user_version") === steps.length) {
    checkFileType(database, path, kind);
    return;
  }
  database.exec("BEGIN IMMEDIATE");
  try {
    const version = pragma(database, "user_version");
    checkFileType(database, path, kind);
    refuseLater(database, kind);
    for (const step of steps.slice(version)) {
      if (typeof step === "string") database.exec(step);
      else step(database);
    }
    if (version < steps.length) {
      database.exec(
        `PRAGMA user_version = ${steps.length}; PRAGMA application_id = ${applicationId}`,
      );
    }
    database.exec("COMMIT");
  } catch (error) {
    if (database.isTransaction) database.exec("ROLLBACK");
    throw error;
  }
}
