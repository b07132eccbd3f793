/** Opens the journal, which records every write on disk before it is sent. */
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import type { AppError } from "../../errors/app-error.ts";
import { fileError } from "../../sqlite/file-error.ts";
import { type GroupCommit, groupCommit } from "../../sqlite/group-commit.ts";
import {
  type FileMode,
  type OpenFile,
  type OpenFileOptions,
  openFile,
  openInMemory,
  retryWhileBusy,
} from "../../sqlite/open-file.ts";
import { type Rows, rowsOf } from "../../sqlite/rows.ts";
import { journalErrorOf } from "./journal-error.ts";
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
    return writtenIn(await openFile(folder, journalKind, options));
  } catch (error) {
    throw journalErrorOf(error, join(folder, journalKind.file)) ?? error;
  }
}

/** Opens a journal in memory. It ends with this process. */
export async function memoryJournal(): Promise<Journal> {
  return writtenIn(await openInMemory(journalKind));
}

function writtenIn({ database, path, mode, check }: OpenFile): Journal {
  const rows = rowsOf(database);
  const asFailure = (error: unknown) => journalErrorOf(error, path) ?? error;
  return journalOf(database, rows, groupCommit(database, rows, check, asFailure), path, mode);
}

/** Returns a read-only journal. Each commit is rejected with `why`. */
export function readOnlyJournal(
  database: DatabaseSync,
  path: string,
  why: AppError<"journal">,
  onClose: () => void,
): Journal {
  const commits = { commit: () => Promise.reject(why), drained: async () => {} };
  const journal = journalOf(database, rowsOf(database), commits, path, "delete");
  return {
    ...journal,
    compact: () => Promise.reject(why),
    close: async () => {
      await journal.close();
      onClose();
    },
  };
}

function journalOf(
  database: DatabaseSync,
  rows: Rows,
  commits: GroupCommit,
  path: string,
  mode: Journal["mode"],
): Journal {
  const closed = () => fileError(journalKind, "failing", path, "The journal has been closed.");
  let open = true;
  return {
    path,
    mode,
    commit: (work) => (open ? commits.commit(work) : Promise.reject(closed())),
    read: (work) => {
      if (!open) throw closed();
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
      if (!open) return;
      open = false;
      await commits.drained();
      database.close();
    },
  };
}
