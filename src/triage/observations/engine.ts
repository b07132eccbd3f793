/** Runs all operations on the file of the observations, in any thread. */
import { join } from "node:path";
import { isAppError } from "../../errors/app-error.ts";
import { throwIfLaterVersion } from "../../sqlite/check-file.ts";
import { Damage, fileErrorOf } from "../../sqlite/file-error.ts";
import { memoryFiles, type OpenFile, openFile, openInMemory } from "../../sqlite/open-file.ts";
import { type Rows, rowsOf } from "../../sqlite/rows.ts";
import type { WatchSubject } from "../../watch/timeline.ts";
import { compact, expire, purge } from "./delete.ts";
import { KnownAccounts } from "./known-accounts.ts";
import { Listing } from "./listing.ts";
import type { ListComparison, ListRows, PurgeSelection } from "./observations.ts";
import { addChecks, importTimes, type StoredCheck, timelineOf } from "./observed-states.ts";
import { storedList, storedRows } from "./parts-table.ts";
import { PendingTimes, readAges } from "./read-ages.ts";
import {
  type ChangesEnd,
  readChanges,
  readCounts,
  readStored,
  readSummary,
} from "./read-stored.ts";
import { confirmHeld, type Observed, recordList } from "./record-list.ts";
import { observationsKind } from "./schema.ts";
import { UnstoredLists } from "./unstored.ts";

/** Maximum wait, in milliseconds, of a commit for the commits of other processes. */
const busyMs = 20_000;

interface OpenEngineOptions {
  /**
   * True if the thread also handles keys. The engine then does not wait for other processes (file
   * error `busy`) and does not check the whole of a large file.
   */
  readonly isQuick: boolean;
}

/** An opened engine. `isSlow` is true if each of its commits waits for the disk. */
export interface OpenedDatabase {
  readonly engine: ObservationDatabase;
  readonly isSlow: boolean;
}

/**
 * Opens the file of a folder, or a database in memory if `folder` is null. Rejects with a file
 * error.
 */
export async function openEngine(
  folder: string | null,
  { isQuick }: OpenEngineOptions = { isQuick: false },
): Promise<OpenedDatabase> {
  const path = folder === null ? "memory" : join(folder, observationsKind.file);
  try {
    const file = await (folder === null
      ? openInMemory(observationsKind)
      : openFile(folder, observationsKind, { isQuick }));
    // A crash of the program loses no commit. Only a power failure can lose the newest ones.
    if (file.mode === "wal") file.database.exec("PRAGMA synchronous = NORMAL");
    const wait = isQuick ? 0 : busyMs;
    // The size of the write-ahead log is limited, because it counts toward the size of the
    // observations on the disk.
    file.database.exec(`PRAGMA busy_timeout = ${wait}; PRAGMA wal_autocheckpoint = 256;
      PRAGMA journal_size_limit = 1048576;`);
    const unstored = new UnstoredLists(await memoryFiles(observationsKind));
    return { engine: engineOn(file, unstored), isSlow: folder !== null && file.mode !== "wal" };
  } catch (error) {
    throw fileErrorOf(error, path, observationsKind) ?? error;
  }
}

/** A load in progress. */
interface Load {
  readonly listing: Listing;
  /** The known reason why the list cannot be stored in the file, or null. */
  readonly problem: unknown;
}

/** The outcome of a list that is not stored. */
interface Unstored {
  /** The comparison with the earlier lists, or null if it was not possible. */
  readonly comparison: ListComparison | null;
  /** The start of the last stored list, or null if there is none that can be read. */
  readonly storedAt: number | null;
  /** True if earlier data of the supplier exists. */
  readonly hasHistory: boolean;
}

function engineOn({ database, path, check }: OpenFile, unstored: UnstoredLists) {
  const rows = rowsOf(database);
  const file = { rows, pending: new PendingTimes() };
  /**
   * The loads by number. A load with missing rows is null, because an incomplete list must not be
   * recorded.
   */
  const loads = new Map<number, Load | null>();

  const inTransaction = <T>(begin: string, work: (rows: Rows) => T): T => {
    try {
      database.exec(begin);
      if (begin !== "BEGIN") check();
      // A later version of supplyline might have upgraded the file since it was opened.
      throwIfLaterVersion(database, observationsKind);
      const result = work(rows);
      database.exec("COMMIT");
      return result;
    } catch (error) {
      if (database.isTransaction) database.exec("ROLLBACK");
      throw fileErrorFor(error, path);
    }
  };
  const read = <T>(work: (rows: Rows) => T): T => inTransaction("BEGIN", work);
  const commit = <T>(work: (rows: Rows) => T): T => inTransaction("BEGIN IMMEDIATE", work);
  /** Commits an addition, and deletes data that is too old. */
  const change = <T>(trusted: number | null, work: () => T): T =>
    commit(() => {
      const result = work();
      expire(rows, trusted);
      return result;
    });
  const stored = (origin: string, supplier: string) =>
    read(() => storedList(rows, origin, supplier));
  const listsInMemory = (origin: string, supplier: string) =>
    unstored.find(origin, supplier, () => orNull(() => stored(origin, supplier))?.seq ?? null);
  /** Returns the database with the newest list of a supplier: the memory or the file. */
  const newestSource = (origin: string, supplier: string) =>
    listsInMemory(origin, supplier)?.hasHistory ? unstored : file;
  const loadInMemory = (origin: string, supplier: string, problem: unknown): Load => {
    const list = storedList(unstored.rows, origin, supplier);
    return { listing: new Listing(new KnownAccounts(unstored.rows, list)), problem };
  };
  const begin = (origin: string, supplier: string): Load => {
    if (listsInMemory(origin, supplier) !== null)
      return loadInMemory(origin, supplier, new Error("Earlier lists are not stored either."));
    try {
      const known = read(() => new KnownAccounts(rows, storedList(rows, origin, supplier)));
      return { listing: new Listing(known), problem: null };
    } catch (error) {
      // If the file is busy, another engine waits for it. After any other file error, the list is
      // compared in memory.
      if (!isAppError(error, "file") || error.kind === "busy") throw error;
      return loadInMemory(origin, supplier, error);
    }
  };
  const loadOf = (load: number, origin: string, supplier: string): Load => {
    const known = loads.get(load) ?? (loads.has(load) ? null : begin(origin, supplier));
    if (known === null) throw new Error("A part of the list could not be compared.");
    loads.set(load, known);
    return known;
  };

  const readFrom = <T>(
    origin: string,
    supplier: string,
    work: (from: Pick<UnstoredLists, "rows" | "pending">) => T,
  ): T => {
    const from = newestSource(origin, supplier);
    return from === unstored ? work(from) : read(() => work(from));
  };

  const drop = (load: number): void => {
    loads.get(load)?.listing.release();
    loads.delete(load);
  };

  return {
    /** Reads the stored accounts to which the rows of a load will be compared. */
    prepare: (load: number, origin: string, supplier: string) =>
      void loadOf(load, origin, supplier),
    /**
     * Compares rows of a load with the stored ones. Returns the rows, so that their buffers can be
     * reused.
     */
    take: (load: number, origin: string, supplier: string, batch: ListRows) => {
      try {
        const { listing } = loadOf(load, origin, supplier);
        listing.take(batch);
        return batch;
      } catch (error) {
        loads.get(load)?.listing.release();
        loads.set(load, null);
        throw error;
      }
    },
    /**
     * Stores a list. If that fails, the list remains for {@link
     * ObservationDatabase.recordUnstored}.
     */
    finish: (load: number, observed: Observed): ListComparison => {
      try {
        const { listing, problem } = loadOf(load, observed.origin, observed.supplier);
        if (problem !== null) throw problem;
        const recorded = change(observed.trusted, () => recordList(rows, observed, listing));
        drop(load);
        return recorded;
      } catch (error) {
        // Another engine waits for the file, and receives the list again.
        if (isAppError(error, "file") && error.kind === "busy") drop(load);
        throw error;
      }
    },
    /** Compares a list that is not stored, and adds it to the lists in memory. */
    recordUnstored: (load: number, observed: Observed): Unstored => {
      const { origin, supplier } = observed;
      try {
        const { listing, problem } = loadOf(load, origin, supplier);
        const list = orNull(() => stored(origin, supplier));
        const seq = list?.seq ?? null;
        const comparison =
          problem === null
            ? read((file) => unstored.record(observed, listing, { file, seq }))
            : unstored.record(observed, listing, { file: null, seq });
        const memoryLists = listsInMemory(origin, supplier);
        const storedAt = memoryLists?.isContinued ? (list?.lastAt ?? null) : null;
        return { comparison, storedAt, hasHistory: memoryLists?.hasHistory ?? false };
      } finally {
        drop(load);
      }
    },
    discard: drop,
    ages: (origin: string, supplier: string, today: number) =>
      readFrom(origin, supplier, ({ rows }) => readAges(rows, origin, supplier, today)),
    /** Returns at most `limit` changes of a supplier, after the end of the previous page. */
    changes: (
      key: { readonly origin: string; readonly supplier: string; readonly since: number | null },
      after: ChangesEnd | null,
      limit: number,
    ) => readFrom(key.origin, key.supplier, ({ rows }) => readChanges(rows, key, after, limit)),
    counts: (origin: string, supplier: string, since: number | null) =>
      readFrom(origin, supplier, ({ rows }) => readCounts(rows, origin, supplier, since)),
    summary: (origin: string, supplier: string, now: number) =>
      readFrom(origin, supplier, ({ rows, pending }) =>
        readSummary(rows, pending, origin, supplier, now),
      ),
    stored: () => read(() => readStored(rows)),
    /**
     * Returns the number of rows of a supplier's list, stored or held back. The number decides which
     * thread does the work.
     */
    rows: (origin: string, supplier: string) => read(() => storedRows(rows, origin, supplier)),
    purge: (origin: string, what: PurgeSelection) => {
      const deleted = commit(() => purge(rows, origin, what));
      // Deleted data must also be removed from the disk: timelines, too, which are not counted.
      compact(database);
      return deleted;
    },
    confirm: (origin: string, supplier: string, now: number, trusted: number | null) =>
      change(trusted, () => confirmHeld(rows, origin, supplier, now)),
    addChecks: (origin: string, checks: readonly StoredCheck[], trusted: number | null) =>
      change(trusted, () => addChecks(rows, origin, checks)),
    timeline: (origin: string, subject: WatchSubject) =>
      read(() => timelineOf(rows, origin, subject)),
    importTimes: (origin: string, supplier: string) =>
      read(() => importTimes(rows, origin, supplier)),
    close: () => database.close(),
  };
}

/**
 * All operations on the file. Each one blocks its thread, so the console runs large work in a
 * worker. Parameters and results can be posted as messages.
 */
export type ObservationDatabase = ReturnType<typeof engineOn>;

/** Calls an operation of an engine in any thread. */
export type EngineCall = <Name extends keyof ObservationDatabase>(
  name: Name,
  ...args: Parameters<ObservationDatabase[Name]>
) => Promise<ReturnType<ObservationDatabase[Name]>>;

/** Returns the result of `read`, or null if it throws. */
function orNull<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}

/**
 * Converts an error to a file error. A RangeError or SyntaxError is damage, because no list can
 * cause it.
 */
function fileErrorFor(error: unknown, path: string): unknown {
  const isDamage = error instanceof RangeError || error instanceof SyntaxError;
  const known = isDamage ? new Damage(error.message, { cause: error }) : error;
  return fileErrorOf(known, path, observationsKind) ?? error;
}
