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
import { isOnlyUnwritable, openFileCopy, openFileToRead } from "../../sqlite/open-to-read.ts";
import { type Rows, rowsOf } from "../../sqlite/rows.ts";
import { journalFile, journalWords } from "./journal-file.ts";
import { journalKind } from "./schema.ts";
import { markDoubtful, rememberJournal, renewIdentity, type Standing } from "./standing.ts";

export interface Journal {
  readonly path: string;
  readonly mode: FileMode;
  readonly connection: number;
  /**
   * Runs `work` in a transaction. Resolves when the result is on disk. Rejects with a journal
   * error, or with the error of `work`.
   */
  commit<T>(work: (rows: Rows) => T): Promise<T>;
  /** Reads committed data. Throws a journal error. */
  read<T>(work: (rows: Rows) => T): T;
  /** The relation to what the config folder remembers. `current` if nothing is remembered. */
  readonly standing: Standing;
  memoryProblem(): unknown;
  /** Accepts a restored or copied journal, with a reason. Rejects with a journal error. */
  accept(reason: string, at: number): Promise<void>;
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
  /** The config folder that remembers the journal's position. Default: none. */
  readonly memoryIn?: string | undefined;
  /** The ID of this process. Required to remember a position. Default: 0. */
  readonly pid?: number;
}

/**
 * Opens or creates the journal of a state folder. Loads node:sqlite only now. Rejects with a
 * journal error, after which nothing may be sent.
 */
export async function openJournal(options: OpenJournalOptions): Promise<Journal> {
  const { folder } = options;
  if (folder === null) return memoryJournal();
  try {
    const journal = writableJournal(await openFile(folder, journalKind, options), options);
    const { standing } = journal;
    // If the mark cannot be stored, nothing can be sent either, and the next opening finds it again.
    if (standing.kind !== "current")
      await journal.commit((rows) => markDoubtful(rows, standing)).catch(() => {});
    return journal;
  } catch (error) {
    throw journalErrorOf(error, join(folder, journalFile)) ?? error;
  }
}

async function memoryJournal(): Promise<Journal> {
  return writableJournal(await openInMemory(journalKind));
}

export interface ReadableJournal {
  readonly journal: Journal;
  /** The error that makes the journal read-only, or null if it can be written. */
  readonly onlyRead: AppError<"journal"> | null;
  /**
   * True if the entries of ended processes could not be settled, not even in a copy. Their outcome
   * is unknown, and the counts of the journal are not known.
   */
  readonly isUnsettled: boolean;
}

/** Settles the entries of ended processes. Commits nothing if there are none. */
type Settle = (journal: Journal) => Promise<unknown>;

/**
 * Opens the journal of a state folder for reading, with the entries of ended processes settled by
 * `settle`. If the journal cannot be written, it is opened as read-only, and entries are settled in
 * a copy that is removed at the end. Rejects with a journal error whose message is for readers.
 */
export async function openJournalToRead(
  options: OpenJournalOptions,
  settle: Settle,
): Promise<ReadableJournal> {
  try {
    const journal = await settled(await openJournal(options), settle);
    return { journal, onlyRead: null, isUnsettled: false };
  } catch (error) {
    if (!isAppError(error, "journal")) throw error;
    if (options.folder === null || !isAboutWriting(error)) throw forReading(error);
    return readSettled(options.folder, error, settle);
  }
}

/** Settles the entries of a journal, and closes it if that fails. */
async function settled(journal: Journal, settle: Settle): Promise<Journal> {
  try {
    await settle(journal);
    return journal;
  } catch (error) {
    await journal.close();
    throw error;
  }
}

async function readSettled(
  folder: string,
  onlyRead: AppError<"journal">,
  settle: Settle,
): Promise<ReadableJournal> {
  const open = (from: typeof openFileToRead, change?: Settle) =>
    readableAt(folder, onlyRead, from, change);
  const original = await open(openFileToRead);
  if (original === null) return { journal: await memoryJournal(), onlyRead, isUnsettled: false };
  try {
    return { journal: await settled(original, settle), onlyRead, isUnsettled: false };
  } catch (error) {
    if (!isAboutWriting(error)) throw forReading(error);
  }
  const copy = await open(openFileCopy, settle).catch((error: unknown) => {
    if (!isAboutWriting(error)) throw error;
    return null;
  });
  if (copy !== null) return { journal: copy, onlyRead, isUnsettled: false };
  const again = await open(openFileToRead);
  return { journal: again ?? (await memoryJournal()), onlyRead, isUnsettled: true };
}

export function isAboutWriting(error: unknown): error is AppError<"journal"> {
  return isAppError(error, "journal") && isOnlyUnwritable(error.kind);
}

/** Returns the journal error for a failure of SQLite or the file system, or null for others. */
function journalErrorOf(thrown: unknown, path: string): AppError<"journal"> | null {
  const error = fileErrorOf(thrown, path, journalWords);
  return isAppError(error, "journal") ? error : null;
}

/** Returns the journal error of a reading caller: with another message and without a remedy. */
function forReading(error: unknown): unknown {
  if (!isAppError(error, "journal")) return error;
  const { path = "" } = error.facts;
  const words = error.message.replace(cannotRecordIn(path), `The journal ${path} cannot be read`);
  return new AppError("journal", error.kind, words, { ...error.facts, remedy: null });
}

function writableJournal(
  { database, path, mode, check }: OpenFile,
  { memoryIn, pid = 0 }: Pick<OpenJournalOptions, "memoryIn" | "pid"> = {},
): Journal {
  const rows = rowsOf(database);
  const asFailure = (error: unknown) => journalErrorOf(error, path) ?? error;
  if (memoryIn === undefined)
    return journalOf(database, rows, groupCommit(database, rows, check, asFailure), path, mode);
  const hasStableFiles = mode === "wal";
  const memory = rememberJournal({ rows, path, folder: memoryIn, pid, hasStableFiles });
  const commits = groupCommit(database, rows, check, asFailure, memory.committed);
  const journal = journalOf(database, rows, commits, path, mode);
  return {
    ...journal,
    get standing() {
      return memory.standing;
    },
    memoryProblem: memory.problem,
    accept: async (reason, at) => {
      await journal.accept(reason, at);
      memory.renew();
    },
    close: async () => {
      await journal.close();
      memory.close();
    },
  };
}

/**
 * Returns the journal of a folder as read-only, from the file that `open` returns, or null if that
 * returns none. Each commit is rejected with `reason`, except those of `change`, which changes a
 * copy.
 */
async function readableAt(
  folder: string,
  reason: AppError<"journal">,
  open: typeof openFileToRead,
  change?: Settle,
): Promise<Journal | null> {
  const path = join(folder, journalFile);
  try {
    const file = await open(folder, journalKind);
    if (file === null) return null;
    const { database } = file;
    try {
      await change?.(writableJournal({ database, path, mode: "delete", check: () => {} }));
    } catch (error) {
      database.close();
      file.remove();
      throw error;
    }
    const commits = { commit: () => Promise.reject(reason), drained: async () => {} };
    const journal = journalOf(database, rowsOf(database), commits, path, "delete");
    return {
      ...journal,
      accept: () => Promise.reject(reason),
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

let connections = 0;

function journalOf(
  database: DatabaseSync,
  rows: Rows,
  commits: GroupCommit,
  path: string,
  mode: FileMode,
): Journal {
  const closedError = () => fileError(journalKind, "failing", path, "The journal has been closed.");
  let isOpen = true;
  connections += 1;
  return {
    path,
    mode,
    connection: connections,
    commit: (work) => (isOpen ? commits.commit(work) : Promise.reject(closedError())),
    read: (work) => {
      if (!isOpen) throw closedError();
      try {
        return work(rows);
      } catch (error) {
        throw journalErrorOf(error, path) ?? error;
      }
    },
    standing: { kind: "current" },
    memoryProblem: () => null,
    accept: (reason, at) => commits.commit((rows) => renewIdentity(rows, { reason, at })),
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
