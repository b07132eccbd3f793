import { join } from "node:path";
import { Damage, fileErrorOf } from "../../sqlite/file-error.ts";
import { type OpenFile, openFile, openInMemory } from "../../sqlite/open-file.ts";
import { type Rows, rowsOf } from "../../sqlite/rows.ts";
import type { WatchSubject } from "../../watch/subject.ts";
import { expire } from "./expire.ts";
import { KnownAccounts } from "./known-accounts.ts";
import { Listing } from "./listing.ts";
import type { ListRows } from "./observations.ts";
import { storedList, storedRows } from "./parts-table.ts";
import { PendingTimes } from "./pending-times.ts";
import { readAges } from "./read-ages.ts";
import {
  type ChangesEnd,
  readChanges,
  readCounts,
  readStored,
  readSummary,
} from "./read-stored.ts";
import { confirmHeld, type Observed, recordList } from "./record-list.ts";
import { observationsKind } from "./schema.ts";
import { addSighted, importTimes, type Sighted, timelineOf } from "./sighted.ts";

/** One commit waits this long for those of other processes, which hold the file for moments. */
const busyMs = 20_000;

export interface OpenEngineOptions {
  /**
   * True where the thread has keys to answer: other processes are not waited for (FileError `busy`),
   * and a large file is not read through.
   */
  readonly isQuick: boolean;
}

/** An engine, and whether each of its commits waits for the disk. */
export interface OpenedEngine {
  readonly engine: Engine;
  readonly isSlow: boolean;
}

/** Opens the file of a folder, or one in memory. Rejects with FileError. */
export async function openEngine(
  folder: string | null,
  { isQuick }: OpenEngineOptions = { isQuick: false },
): Promise<OpenedEngine> {
  const path = folder === null ? "memory" : join(folder, observationsKind.file);
  try {
    const file = await (folder === null
      ? openInMemory(observationsKind)
      : openFile(folder, observationsKind, { isQuick }));
    // After a crash of the program everything committed is there; only a power cut may cost the newest.
    if (file.mode === "wal") file.database.exec("PRAGMA synchronous = NORMAL");
    const wait = isQuick ? 0 : busyMs;
    // The write-ahead log is a part of what observations take on the disk.
    file.database.exec(`PRAGMA busy_timeout = ${wait}; PRAGMA wal_autocheckpoint = 256;
      PRAGMA journal_size_limit = 1048576;`);
    return { engine: engineOn(file), isSlow: folder !== null && file.mode !== "wal" };
  } catch (error) {
    throw fileErrorOf(error, path, observationsKind) ?? error;
  }
}

function engineOn({ database, path, check }: OpenFile) {
  const rows = rowsOf(database);
  const pending = new PendingTimes();
  /** Null for a load of which rows are missing: a list without them must not be recorded. */
  const loads = new Map<number, Listing | null>();

  const within = <T>(begin: string, work: (rows: Rows) => T): T => {
    try {
      database.exec(begin);
      if (begin !== "BEGIN") check();
      const result = work(rows);
      database.exec("COMMIT");
      return result;
    } catch (error) {
      if (database.isTransaction) database.exec("ROLLBACK");
      throw inWords(error, path);
    }
  };
  const read = <T>(work: (rows: Rows) => T): T => within("BEGIN", work);
  const commit = <T>(work: (rows: Rows) => T): T => within("BEGIN IMMEDIATE", work);
  /** A commit that adds something, and takes out what is too old. */
  const change = <T>(trusted: number | null, work: () => T): T =>
    commit(() => {
      const result = work();
      expire(rows, trusted);
      return result;
    });
  const listingOf = (load: number, origin: string, supplier: string): Listing => {
    const known = loads.get(load);
    if (known === null) throw new Error("A part of the list could not be compared.");
    if (known !== undefined) return known;
    return new Listing(read(() => new KnownAccounts(rows, storedList(rows, origin, supplier))));
  };

  const drop = (load: number): void => {
    loads.get(load)?.release();
    loads.delete(load);
  };

  return {
    /** Reads what the rows of a load will be compared with. */
    prepare: (load: number, origin: string, supplier: string) =>
      void loads.set(load, listingOf(load, origin, supplier)),
    /** Compares rows of a load with what is stored, as they arrive; gives them back. */
    take: (load: number, origin: string, supplier: string, batch: ListRows) => {
      try {
        const listing = listingOf(load, origin, supplier);
        loads.set(load, listing);
        read(() => listing.take(batch));
        return batch;
      } catch (error) {
        loads.get(load)?.release();
        loads.set(load, null);
        throw error;
      }
    },
    finish: (load: number, observed: Observed) => {
      try {
        const listing = listingOf(load, observed.origin, observed.supplier);
        loads.set(load, listing);
        return change(observed.trusted, () => recordList(rows, observed, listing));
      } finally {
        drop(load);
      }
    },
    discard: drop,
    ages: (origin: string, supplier: string, today: number) =>
      read(() => readAges(rows, origin, supplier, today)),
    /** At most `most` changes of a supplier, from where the page before ended. */
    changes: (
      key: { readonly origin: string; readonly supplier: string; readonly since: number | null },
      after: ChangesEnd | null,
      most: number,
    ) => read(() => readChanges(rows, key, after, most)),
    counts: (origin: string, supplier: string, since: number | null) =>
      read(() => readCounts(rows, origin, supplier, since)),
    summary: (origin: string, supplier: string, now: number) =>
      read(() => readSummary(rows, pending, origin, supplier, now)),
    stored: () => read(() => readStored(rows)),
    /** Rows of a supplier's list, stored or held back: how much work there is with it. */
    rows: (origin: string, supplier: string) => read(() => storedRows(rows, origin, supplier)),
    purge: (origin: string, what: { supplier: string } | { before: number } | "all") => {
      const deleted = commit(() => purge(rows, origin, what));
      // What was deleted leaves the file as well.
      if (deleted > 0) compact(database);
      return deleted;
    },
    confirm: (origin: string, supplier: string, now: number, trusted: number | null) =>
      change(trusted, () => confirmHeld(rows, origin, supplier, now)),
    addSighted: (origin: string, all: readonly Sighted[], trusted: number | null) =>
      change(trusted, () => addSighted(rows, origin, all)),
    timeline: (origin: string, subject: WatchSubject) =>
      read(() => timelineOf(rows, origin, subject)),
    importTimes: (origin: string, supplier: string) =>
      read(() => importTimes(rows, origin, supplier)),
    close: () => database.close(),
  };
}

/**
 * Everything that is done with the file, one thing after the other. It holds its thread for as long
 * as that takes, so beside a screen it runs in a worker. Its parameters and results can be posted.
 */
export type Engine = ReturnType<typeof engineOn>;

/** Asks an engine for something, wherever it runs. */
export type Ask = <Name extends keyof Engine>(
  name: Name,
  ...args: Parameters<Engine[Name]>
) => Promise<ReturnType<Engine[Name]>>;

function compact(database: OpenFile["database"]): void {
  try {
    database.exec("VACUUM; PRAGMA wal_checkpoint(TRUNCATE);");
  } catch {
    // Another process reads it, or the disk is full: the room is used again by what is recorded next.
  }
}

/** Numbers and texts that no list has led to are damage, whichever call found that. */
function inWords(error: unknown, path: string): unknown {
  const isDamage = error instanceof RangeError || error instanceof SyntaxError;
  const known = isDamage ? new Damage(error.message, { cause: error }) : error;
  return fileErrorOf(known, path, observationsKind) ?? error;
}

function purge(
  rows: Rows,
  origin: string,
  what: { readonly supplier: string } | { readonly before: number } | "all",
): number {
  if (what === "all") {
    rows.run("DELETE FROM sighting");
    return rows.run("DELETE FROM list");
  }
  if ("supplier" in what) {
    rows.run(
      "DELETE FROM sighting WHERE origin = ? AND json_extract(subject, '$[1]') = ?",
      origin,
      what.supplier,
    );
    return rows.run("DELETE FROM list WHERE origin = ? AND supplier = ?", origin, what.supplier);
  }
  rows.run("DELETE FROM sighting WHERE at < ?", what.before);
  return rows.run("DELETE FROM list WHERE last_at < ?", what.before);
}
