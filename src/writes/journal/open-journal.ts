/**
 * Opens the journal, which records every write on disk before it is sent. For a caller that only
 * reads, it is also opened if its disk is full or read-only.
 */
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { AppError, isAppError } from "../../errors/app-error.ts";
import { cannotRecordIn, fileError, fileErrorOf } from "../../sqlite/file-error.ts";
import { type GroupCommit, groupCommit } from "../../sqlite/group-commit.ts";
import {
  type FileMode,
  type OpenFile,
  type OpenFileOptions,
  openFile,
  openInMemory,
  retryWhileBusy,
} from "../../sqlite/open-file.ts";
import { isOnlyUnwritable, openFileToRead } from "../../sqlite/open-to-read.ts";
import { type Rows, rowsOf } from "../../sqlite/rows.ts";
import { journalFile, journalWords } from "./journal-file.ts";
import { journalKind } from "./schema.ts";

/** The open journal: the record of every write. */
export interface Journal {
  readonly path: string;
  readonly mode: FileMode;
  /**
   * Runs `work` in a transaction. Resolves when the result is on disk. Rejects with a journal
   * error, or with the error of `work`.
   */
  commit<T>(work: (rows: Rows) => T): Promise<T>;
  /** Reads committed data. Throws a journal error. */
  read<T>(work: (rows: Rows) => T): T;
  /** Removes purged data from the file itself. Rejects with a journal error. */
  compact(): Promise<void>;
  /** Waits for pending commits, then closes the journal. */
  close(): Promise<void>;
}

/** The options of opening a journal. */
export interface OpenJournalOptions extends OpenFileOptions {
  /**
   * The state folder, which is created if needed, or null for a journal in memory. The entries of
   * an embedded sandbox must not outlive the process.
   */
  readonly folder: string | null;
}

/**
 * Opens or creates the journal of a state folder. Loads node:sqlite only now. Rejects with a
 * journal error, after which nothing may be sent.
 */
export async function openJournal(options: OpenJournalOptions): Promise<Journal> {
  const { folder } = options;
  if (folder === null) return memoryJournal();
  try {
    return writableJournal(await openFile(folder, journalKind, options));
  } catch (error) {
    throw journalErrorOf(error, join(folder, journalFile)) ?? error;
  }
}

/** Opens a journal in memory. It ends with this process. */
async function memoryJournal(): Promise<Journal> {
  return writableJournal(await openInMemory(journalKind));
}

/** A journal, and the error that makes it read-only, or null if it can be written. */
interface ReadableJournal {
  readonly journal: Journal;
  readonly onlyRead: AppError<"journal"> | null;
}

/**
 * Opens the journal of a state folder for reading. If it cannot be written, it is opened as
 * read-only. Records no entry. Rejects with a journal error whose message is for readers.
 */
export async function openJournalToRead(options: OpenJournalOptions): Promise<ReadableJournal> {
  try {
    return { journal: await openJournal(options), onlyRead: null };
  } catch (error) {
    if (!isAppError(error, "journal")) throw error;
    if (options.folder === null || !isAboutWriting(error)) throw forReading(error);
    return { journal: await readableAt(options.folder, error), onlyRead: error };
  }
}

/** Returns true if a journal error only prevents writing. Reading might still work. */
export function isAboutWriting(error: unknown): error is AppError<"journal"> {
  return isAppError(error, "journal") && isOnlyUnwritable(error.kind);
}

/**
 * Returns the journal error for a failure of SQLite or the file system, or null for any other
 * error.
 */
function journalErrorOf(thrown: unknown, path: string): AppError<"journal"> | null {
  const error = fileErrorOf(thrown, path, journalWords);
  return isAppError(error, "journal") ? error : null;
}

/**
 * Returns a journal error for a caller that only reads: with another message and without a remedy.
 */
function forReading(error: AppError<"journal">): AppError<"journal"> {
  const { path = "" } = error.facts;
  const words = error.message.replace(cannotRecordIn(path), `The journal ${path} cannot be read`);
  return new AppError("journal", error.kind, words, { ...error.facts, remedy: null });
}

function writableJournal({ database, path, mode, check }: OpenFile): Journal {
  const rows = rowsOf(database);
  const asFailure = (error: unknown) => journalErrorOf(error, path) ?? error;
  return journalOf(database, rows, groupCommit(database, rows, check, asFailure), path, mode);
}

/** Returns the journal of a folder as read-only. Each commit is rejected with `reason`. */
async function readableAt(folder: string, reason: AppError<"journal">): Promise<Journal> {
  const path = join(folder, journalFile);
  try {
    const file = await openFileToRead(folder, journalKind);
    if (file === null) return memoryJournal();
    const commits = { commit: () => Promise.reject(reason), drained: async () => {} };
    const { database } = file;
    const journal = journalOf(database, rowsOf(database), commits, path, "delete");
    return {
      ...journal,
      compact: () => Promise.reject(reason),
      close: async () => {
        await journal.close();
        file.remove();
      },
    };
  } catch (error) {
    throw forReading(journalErrorOf(error, path) ?? reason);
  }
}

function journalOf(
  database: DatabaseSync,
  rows: Rows,
  commits: GroupCommit,
  path: string,
  mode: FileMode,
): Journal {
  const closedError = () => fileError(journalKind, "failing", path, "The journal has been closed.");
  let isOpen = true;
  return {
    path,
    mode,
    commit: (work) => (isOpen ? commits.commit(work) : Promise.reject(closedError())),
    read: (work) => {
      if (!isOpen) throw closedError();
      try {
        return work(rows);
      } catch (error) {
        throw journalErrorOf(error, path) ?? error;
      }
    },
    compact: async () => {
      await commits.drained();
      try {
        await retryWhileBusy()(() => database.exec("VACUUM; PRAGMA wal_checkpoint(TRUNCATE);"));
      } catch (error) {
        throw journalErrorOf(error, path) ?? error;
      }
    },
    close: async () => {
      if (!isOpen) return;
      isOpen = false;
      await commits.drained();
      database.close();
    },
  };
}
