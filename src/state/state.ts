/**
 * The state file, which all processes share: unsent forms, watch lists, cohorts and recent uses.
 */
import { AppError, isAppError } from "../errors/app-error.ts";
import { logCommit } from "../sqlite/commit-log.ts";
import { type FileKind, fileErrorOf } from "../sqlite/file-error.ts";
import type { OpenFile } from "../sqlite/open-file.ts";
import { type Rows, rowsOf } from "../sqlite/rows.ts";

export const stateTables = ["draft", "used", "watched", "cohort"];

/** The SQL for the tables of version 0.3.0, the first that was published. */
const firstTables = `
CREATE TABLE draft (
  id TEXT PRIMARY KEY,
  profile TEXT NOT NULL,
  updated_at INTEGER NOT NULL,
  value TEXT NOT NULL
) STRICT;
CREATE INDEX draft_profile ON draft (profile);

CREATE TABLE whole_check (at INTEGER NOT NULL) STRICT;

CREATE TABLE used (
  list TEXT NOT NULL,
  owner TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (list, owner, value)
) STRICT;

CREATE TABLE watched (
  profile TEXT NOT NULL,
  service TEXT NOT NULL,
  kind TEXT NOT NULL,
  supplier TEXT NOT NULL,
  number TEXT NOT NULL,
  added_at REAL NOT NULL,
  timeline TEXT NOT NULL,
  PRIMARY KEY (profile, service, kind, supplier, number)
) STRICT;

CREATE TABLE cohort (
  name TEXT PRIMARY KEY,
  supplier TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  rows INTEGER NOT NULL,
  accounts INTEGER NOT NULL,
  column TEXT,
  layout TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  source BLOB NOT NULL
) STRICT;
`;

/** Adds a draft's service. It is null for one of version 0.3.0, and empty for no service. */
const draftService = "ALTER TABLE draft ADD COLUMN service TEXT;";

export const stateKind: FileKind = {
  file: "state.sqlite",
  // "SPLS".
  applicationId: 0x53504c53,
  // Versions 1 to 3 were never published.
  firstVersion: 4,
  steps: [firstTables, draftService],
  about: "file",
  noun: "state file",
  holds: "it holds personal data",
  row: "A row",
  onDamage: "Unsent drafts are in the damaged file.",
};

/**
 * The open state file. All calls are synchronous, so that they complete before a lost terminal ends
 * the program.
 */
export interface State {
  readonly folder: string;
  /** The reason why nothing is stored on the disk, or null if there is none. */
  readonly problem: AppError<"settings"> | null;
  /** The reason why the stored data cannot even be read, or null if there is none. */
  readonly unread: AppError<"settings"> | null;
  /** Runs `work` with the rows. Throws a settings error `corrupt`. */
  read<T>(work: (rows: Rows) => T): T;
  /**
   * Commits all of the work or none of it. If `problem` is not null, the work is done in memory,
   * and then `problem` is thrown. Throws what `work` throws, and a settings error `unwritable`.
   */
  commit<T>(work: (rows: Rows) => T): T;
  /**
   * Erases deleted data from the disk. The size of the file does not change: `secure_delete` has
   * overwritten the data, and later rows use the space. Throws a settings error `unwritable`.
   */
  erase(): void;
  /** Closes the file. Later calls have no effect. */
  close(): void;
}

/** Returns the state of an open file. If there is a problem, the file is in memory. */
export function stateOf(
  folder: string,
  file: OpenFile,
  { problem, unread }: Pick<State, "problem" | "unread"> = { problem: null, unread: null },
): State {
  const { database, path, check } = file;
  const rows = rowsOf(database);
  const attempt = <T>(kind: "unwritable" | "corrupt", work: () => T): T => {
    try {
      return work();
    } catch (error) {
      if (database.isTransaction) database.exec("ROLLBACK");
      const fileFailure = isAppError(error, "settings")
        ? null
        : fileErrorOf(error, path, stateKind);
      throw fileFailure === null ? error : settingsErrorOf(kind, fileFailure);
    }
  };
  const commit: State["commit"] = (work) => {
    const course = logCommit(database);
    const result = attempt("unwritable", () => {
      try {
        check();
        database.exec("BEGIN IMMEDIATE");
        course.locked();
        const value = work(rows);
        database.exec("COMMIT");
        course.committed();
        return value;
      } catch (error) {
        course.failed(error);
        throw error;
      }
    });
    if (problem !== null) throw problem;
    return result;
  };
  return {
    folder,
    problem,
    unread,
    read: (work) => attempt("corrupt", () => work(rows)),
    commit,
    erase() {
      attempt("unwritable", () => database.exec("PRAGMA wal_checkpoint(TRUNCATE)"));
    },
    close() {
      if (database.isOpen) database.close();
    },
  };
}

export function settingsErrorOf(
  kind: "unwritable" | "corrupt" | "exposed",
  { message, facts }: AppError<"file" | "journal">,
): AppError<"settings"> {
  return new AppError("settings", kind, message, { fix: facts.fix ?? null, cause: facts.cause });
}
