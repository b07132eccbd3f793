/** The journal for a caller that only reads: also where its disk is full or read-only. */
import { copyFileSync, existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { checkFiles, journalFile } from "./files.ts";
import { JournalError, type JournalErrorKind, journalErrorOf } from "./journal-error.ts";
import {
  checkReadable,
  type Journal,
  memoryJournal,
  type OpenJournalOptions,
  openJournal,
  readOnlyJournal,
} from "./open-journal.ts";

/** A journal, and why it can only be read; null where it can be written as well. */
export interface ReadableJournal {
  readonly journal: Journal;
  readonly onlyRead: JournalError | null;
}

/** With these the journal may still be readable. */
const unwritable: readonly JournalErrorKind[] = ["full", "read-only", "failing"];

/** Whether an error of the journal is about writing alone, as far as is known. */
export function isAboutWriting(error: unknown): error is JournalError {
  return error instanceof JournalError && unwritable.includes(error.kind);
}

/**
 * Opens the journal of a state folder to read it; nothing is recorded. Where it cannot be written it
 * is opened for reading alone. Rejects with JournalError, in the words of a reader.
 */
export async function openJournalToRead(options: OpenJournalOptions): Promise<ReadableJournal> {
  try {
    return { journal: await openJournal(options), onlyRead: null };
  } catch (error) {
    if (!(error instanceof JournalError)) throw error;
    if (options.folder === null || !isAboutWriting(error)) throw error.forReading();
    return { journal: await readableAt(options.folder, error), onlyRead: error.forReading() };
  }
}

async function readableAt(folder: string, why: JournalError): Promise<Journal> {
  const path = join(folder, journalFile);
  // Without a file, or with an empty one, nothing was ever recorded here.
  if (sizeOf(path) + sizeOf(`${path}-wal`) === 0) return memoryJournal();
  try {
    checkFiles(folder);
    const { DatabaseSync } = await import("node:sqlite");
    const open = (at: string | URL) => {
      const database = new DatabaseSync(at, { readOnly: true, timeout: 250 });
      try {
        checkReadable(database, path);
        return database;
      } catch (error) {
        database.close();
        throw error;
      }
    };
    return openSomehow(path, why, open);
  } catch (error) {
    throw (journalErrorOf(error, path) ?? why).forReading();
  }
}

/**
 * SQLite reads a write-ahead log through a file of shared memory, which it cannot make on a disk
 * that takes nothing. Where the log is empty the main file alone is read, else a copy of both: the
 * log holds the newest entries, and leaving it out would hide them.
 */
function openSomehow(
  path: string,
  why: JournalError,
  open: (at: string | URL) => DatabaseSync,
): Journal {
  try {
    return readOnlyJournal(open(path), path, why, () => {});
  } catch (error) {
    if (!isAboutWriting(journalErrorOf(error, path))) throw error;
  }
  if (sizeOf(`${path}-wal`) === 0) {
    const alone = pathToFileURL(path);
    alone.searchParams.set("immutable", "1");
    return readOnlyJournal(open(alone), path, why, () => {});
  }
  const folder = mkdtempSync(join(tmpdir(), "supplyline-reading-"));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    return readOnlyJournal(open(copyInto(folder, path)), path, why, remove);
  } catch (error) {
    remove();
    throw error;
  }
}

/** Often enough for a copy between two commits of another process. */
const copyTries = 5;

/** Copies the journal with its log, again while another process changes them meanwhile. */
function copyInto(folder: string, path: string): string {
  const copy = join(folder, journalFile);
  for (let tries = 1; ; tries++) {
    const before = stateOf(path);
    for (const end of ["", "-wal"])
      if (existsSync(path + end)) copyFileSync(path + end, copy + end);
    if (stateOf(path) === before || tries === copyTries) return copy;
  }
}

function stateOf(path: string): string {
  return ["", "-wal"]
    .map((end) => statSync(path + end, { throwIfNoEntry: false }))
    .map((stats) => `${stats?.size} ${stats?.mtimeMs}`)
    .join(" ");
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
