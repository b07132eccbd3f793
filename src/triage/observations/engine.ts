import { join } from "node:path";
import { FileError, fileErrorOf } from "../../sqlite/file-error.ts";
import { type OpenFile, openFile, openInMemory } from "../../sqlite/open-file.ts";
import { type Rows, rowsOf } from "../../sqlite/rows.ts";
import { codeOf } from "../../text/disk-words.ts";
import type { WatchSubject } from "../../watch/subject.ts";
import type { Transition } from "../../watch/transitions.ts";
import type { AgesColumns } from "./ages.ts";
import { KnownAccounts } from "./known-accounts.ts";
import { Listing } from "./listing.ts";
import type {
  ListRows,
  ObservedCounts,
  ObservedSummary,
  Recorded,
  StoredObservations,
} from "./observations.ts";
import { storedList, storedRows } from "./parts-table.ts";
import { PendingTimes } from "./pending-times.ts";
import { readAges } from "./read-ages.ts";
import {
  type ChangesEnd,
  type ChangesPage,
  readChanges,
  readCounts,
  readStored,
  readSummary,
} from "./read-stored.ts";
import { confirmHeld, type Observed, recordList } from "./record-list.ts";
import { observationsKind } from "./schema.ts";
import { addSighted, importTimes, type Sighted, timelineOf } from "./sighted.ts";

/**
 * Everything that is done with the file, one thing after the other. It holds its thread for as long
 * as that takes, so beside a screen it runs in a worker. Its parameters and results can be posted.
 */
export interface Engine {
  /** Reads what the rows of a load will be compared with. */
  prepare(load: number, origin: string, supplier: string): void;
  /** Compares rows of a load with what is stored, as they arrive; gives them back. */
  take(load: number, origin: string, supplier: string, rows: ListRows): ListRows;
  finish(load: number, observed: Observed): Recorded;
  discard(load: number): void;
  ages(origin: string, supplier: string, today: number): AgesColumns | null;
  /** At most `most` changes of a supplier, from where the page before ended. */
  changes(
    key: { readonly origin: string; readonly supplier: string; readonly since: number | null },
    after: ChangesEnd | null,
    most: number,
  ): ChangesPage;
  counts(origin: string, supplier: string, since: number | null): ObservedCounts[];
  summary(origin: string, supplier: string, now: number): ObservedSummary | null;
  stored(): StoredObservations[];
  /** Rows of a supplier's list, stored or held back: how much work there is with it. */
  rows(origin: string, supplier: string): number;
  purge(origin: string, what: { supplier: string } | { before: number } | "all"): number;
  confirm(origin: string, supplier: string, now: number): boolean;
  addSighted(origin: string, all: readonly Sighted[], now: number): void;
  timeline(origin: string, subject: WatchSubject): Transition[];
  importTimes(origin: string, supplier: string): number[];
  close(): void;
}

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

function engineOn({ database, path, check }: OpenFile): Engine {
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
    prepare: (load, origin, supplier) => void loads.set(load, listingOf(load, origin, supplier)),
    take: (load, origin, supplier, batch) => {
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
    finish: (load, observed) => {
      try {
        const listing = listingOf(load, observed.origin, observed.supplier);
        loads.set(load, listing);
        return commit(() => recordList(rows, observed, listing));
      } finally {
        drop(load);
      }
    },
    discard: drop,
    ages: (origin, supplier, today) => read(() => readAges(rows, origin, supplier, today)),
    changes: (key, after, most) => read(() => readChanges(rows, key, after, most)),
    counts: (origin, supplier, since) => read(() => readCounts(rows, origin, supplier, since)),
    summary: (origin, supplier, now) =>
      read(() => readSummary(rows, pending, origin, supplier, now)),
    stored: () => read(() => readStored(rows)),
    rows: (origin, supplier) => read(() => storedRows(rows, origin, supplier)),
    purge: (origin, what) => {
      const deleted = commit(() => purge(rows, origin, what));
      // What was deleted leaves the file as well.
      if (deleted > 0) compact(database);
      return deleted;
    },
    confirm: (origin, supplier, now) => commit(() => confirmHeld(rows, origin, supplier, now)),
    addSighted: (origin, all, now) => commit(() => addSighted(rows, origin, all, now)),
    timeline: (origin, subject) => read(() => timelineOf(rows, origin, subject)),
    importTimes: (origin, supplier) => read(() => importTimes(rows, origin, supplier)),
    close: () => database.close(),
  };
}

function compact(database: OpenFile["database"]): void {
  try {
    database.exec("VACUUM; PRAGMA wal_checkpoint(TRUNCATE);");
  } catch {
    // Another process reads it, or the disk is full: the room is used again by what is recorded next.
  }
}

function inWords(error: unknown, path: string): unknown {
  if (error instanceof RangeError || codeOf(error).startsWith("ZSTD_")) {
    const words = `The observations file ${path} is damaged. Move it away, while no other supplyline runs, to begin a new one. ${observationsKind.onDamage}`;
    return new FileError("corrupt", path, words, null, error);
  }
  return fileErrorOf(error, path, observationsKind) ?? error;
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
