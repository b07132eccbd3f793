import type { DatabaseSync } from "node:sqlite";
import { checkFileType, pragma, refuseLater } from "./check-file.ts";
import type { FileKind } from "./file-error.ts";

/**
 * Brings a file up to date inside one transaction, so that of two processes that start together one
 * finds it done. Throws a file error and LaterVersion, or what SQLite throws.
 */
export function migrate(
  database: DatabaseSync,
  path: string,
  kind: FileKind,
  isQuick: boolean,
): void {
  const { steps, applicationId } = kind;
  // Most often there is nothing to do: a quick opening then waits for no other process.
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
