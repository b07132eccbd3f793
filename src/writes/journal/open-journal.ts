import type { DatabaseSync } from "node:sqlite";
import { setTimeout as pause } from "node:timers/promises";
import { fileAt, filesystemType, isNetworkFilesystem, prepareFiles } from "./files.ts";
import { type GroupCommit, groupCommit } from "./group-commit.ts";
import { Damage, JournalError, journalErrorOf, LaterVersion, sqliteCode } from "./journal-error.ts";
import { type Rows, rowsOf, text, whole } from "./rows.ts";
import { applicationId, steps } from "./schema.ts";

/** The record of every write, on disk before anything is sent. */
export interface Journal {
  readonly path: string;
  /** `delete` where the disk is a network file system. */
  readonly mode: "wal" | "delete";
  /** Resolves when the work is on disk. Rejects with JournalError, or with what the work threw. */
  commit<T>(work: (rows: Rows) => T): Promise<T>;
  /** Reads what is committed. Throws JournalError. */
  read<T>(work: (rows: Rows) => T): T;
  /** Takes what was purged out of the file itself. */
  compact(): Promise<void>;
  /** Waits for commits under way, then closes. */
  close(): Promise<void>;
}

export interface OpenJournalOptions {
  /**
   * The state folder; made if it is not there. Null for a journal in memory, which ends with the
   * process: that of an embedded sandbox, whose entries would outlive the service they were sent to.
   */
  readonly folder: string | null;
  /** Ends the wait for other processes; rejects with its reason then. */
  readonly signal?: AbortSignal;
  /** Called once when another process has kept the journal to itself for a second. */
  readonly onWait?: () => void;
  /** Reports the statfs number of a folder's file system; the system's answer by default. */
  readonly filesystem?: (folder: string) => number | null;
}

/** SQLite waits at most this long inside a call; longer waits happen outside the event loop's turn. */
const busyMs = 250;

const openTries = 200;
/** After this many, about a second, the wait is reported. */
const triesUntold = 4;

/**
 * Opens the journal of a state folder, or makes it. node:sqlite is loaded here and nowhere earlier.
 * Rejects with JournalError; nothing may be sent then.
 */
export async function openJournal(options: OpenJournalOptions): Promise<Journal> {
  const { folder, filesystem = filesystemType } = options;
  if (folder === null) return memoryJournal();
  let path = folder;
  let database: DatabaseSync | null = null;
  try {
    path = prepareFiles(folder);
    const { DatabaseSync } = await import("node:sqlite");
    const file = fileAt(path);
    const opened = new DatabaseSync(path, { timeout: busyMs });
    database = opened;
    const wanted = isNetworkFilesystem(filesystem(folder)) ? "delete" : "wal";
    const patiently = patience(options);
    const mode = await patiently(() => setUp(opened, wanted));
    await patiently(() => migrate(opened, path));
    await patiently(() => checkIntegrity(opened));
    const rows = rowsOf(opened);
    const commits = groupCommit(opened, rows, path, () => refuseMoved(path, file));
    return journalOf(opened, rows, commits, path, mode);
  } catch (error) {
    database?.close();
    throw journalErrorOf(error, path) ?? error;
  }
}

/** A journal that nothing but this process sees, and that ends with it. */
export async function memoryJournal(): Promise<Journal> {
  const { DatabaseSync } = await import("node:sqlite");
  const path = "the journal in memory";
  const database = new DatabaseSync(":memory:");
  database.exec("PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF;");
  migrate(database, path);
  const rows = rowsOf(database);
  return journalOf(
    database,
    rows,
    groupCommit(database, rows, path, () => {}),
    path,
    "delete",
  );
}

/** Throws where a database is no journal of this version, or a damaged one. */
export function checkReadable(database: DatabaseSync, path: string): void {
  const version = pragma(database, "user_version");
  refuseOther(database, path);
  if (version > steps.length) throw new LaterVersion();
  if (version < steps.length) {
    const words = `The journal ${path} was made by an earlier version, and cannot be brought up to date where it cannot be written.`;
    throw new JournalError("read-only", path, words);
  }
  refuseDamaged(database);
}

/** A journal of rows that can be read alone; each commit is refused with the reason. */
export function readOnlyJournal(
  database: DatabaseSync,
  path: string,
  why: JournalError,
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
  const closed = () => new JournalError("failing", path, "The journal has been closed.");
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
        await patience()(() => database.exec("VACUUM; PRAGMA wal_checkpoint(TRUNCATE);"));
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

/**
 * SQLite would go on writing to a file that was deleted or moved away meanwhile, where it would be lost.
 */
function refuseMoved(path: string, file: string | null): void {
  if (fileAt(path) === file) return;
  const words = `Nothing can be recorded in ${path}: the file was deleted, moved or replaced while it was in use. End this program and start it again.`;
  throw new JournalError("failing", path, words);
}

/** Does a step of the opening again while other processes, which may be opening it too, are in the way. */
function patience({
  signal,
  onWait,
}: Pick<OpenJournalOptions, "signal" | "onWait"> = {}): <T>(step: () => T) => Promise<T> {
  let kept = 0;
  return async (step) => {
    for (let n = 1; ; n++) {
      try {
        return step();
      } catch (error) {
        if (![5, 6].includes(sqliteCode(error) ?? 0) || n >= openTries) throw error;
      }
      kept += 1;
      if (kept === triesUntold) onWait?.();
      signal?.throwIfAborted();
      await pause(10 + Math.random() * 40);
      signal?.throwIfAborted();
    }
  };
}

function setUp(database: DatabaseSync, wanted: Journal["mode"]): Journal["mode"] {
  const got = database.prepare(`PRAGMA journal_mode = ${wanted}`).get();
  const mode = got !== undefined && text(got, "journal_mode") === "wal" ? "wal" : "delete";
  // EXTRA also makes the removal of a rollback journal last; in WAL it is the same as FULL.
  database.exec(`PRAGMA synchronous = ${mode === "wal" ? "FULL" : "EXTRA"};
    PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON; PRAGMA trusted_schema = OFF;`);
  return mode;
}

/** Inside one transaction, so that of two processes that start together one finds it done. */
function migrate(database: DatabaseSync, path: string): void {
  database.exec("BEGIN IMMEDIATE");
  try {
    const version = pragma(database, "user_version");
    refuseOther(database, path);
    if (version > steps.length) throw new LaterVersion();
    for (const step of steps.slice(version)) database.exec(step);
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

function refuseOther(database: DatabaseSync, path: string): void {
  const application = pragma(database, "application_id");
  if (application === 0 || application === applicationId) return;
  throw new JournalError("corrupt", path, `${path} belongs to another program.`);
}

function pragma(database: DatabaseSync, name: string): number {
  const row = database.prepare(`PRAGMA ${name}`).get();
  return row === undefined ? 0 : whole(row, name);
}

/** A journal up to this size is read through each time it is opened; the others once a day. */
const smallPages = 8_192;
const checkEveryS = 86_400;

function isCheckDue(database: DatabaseSync): boolean {
  if (pragma(database, "page_count") <= smallPages) return true;
  const last = database
    .prepare("SELECT 1 FROM whole_check WHERE at > unixepoch() - ? AND at <= unixepoch()")
    .get(checkEveryS);
  return last === undefined;
}

/** A read-through takes as long as the journal is; what was found whole is remembered. */
function checkIntegrity(database: DatabaseSync): void {
  if (!isCheckDue(database)) return;
  refuseDamaged(database);
  if (pragma(database, "page_count") <= smallPages) return;
  database.exec("DELETE FROM whole_check; INSERT INTO whole_check VALUES (unixepoch())");
}

function refuseDamaged(database: DatabaseSync): void {
  const row = database.prepare("PRAGMA quick_check(1)").get();
  const said = row === undefined ? "no answer" : text(row, "quick_check");
  if (said === "ok") return;
  throw new Damage(said);
}
