/** Opens the journal for a caller that only reads, even if its disk is full or read-only. */
import { join } from "node:path";
import { type AppError, isAppError } from "../../errors/app-error.ts";
import { isOnlyUnwritable, openFileToRead } from "../../sqlite/open-to-read.ts";
import { forReading, journalErrorOf } from "./journal-error.ts";
import { journalFile } from "./journal-file.ts";
import {
  type Journal,
  memoryJournal,
  type OpenJournalOptions,
  openJournal,
  readOnlyJournal,
} from "./open-journal.ts";
import { journalKind } from "./schema.ts";

/** A journal, and the error that makes it read-only, or null if it can be written. */
interface ReadableJournal {
  readonly journal: Journal;
  readonly onlyRead: AppError<"journal"> | null;
}

/** Returns true if a journal error only prevents writing. Reading might still work. */
export function isAboutWriting(error: unknown): error is AppError<"journal"> {
  return isAppError(error, "journal") && isOnlyUnwritable(error.kind);
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

async function readableAt(folder: string, why: AppError<"journal">): Promise<Journal> {
  const path = join(folder, journalFile);
  try {
    const file = await openFileToRead(folder, journalKind);
    if (file === null) return memoryJournal();
    return readOnlyJournal(file.database, path, why, file.remove);
  } catch (error) {
    throw forReading(journalErrorOf(error, path) ?? why);
  }
}
