/** Converts failures of SQLite and of the file system to journal errors. */
import { AppError, isAppError } from "../../errors/app-error.ts";
import { fileErrorOf, recordingIn } from "../../sqlite/file-error.ts";
import { journalWords } from "./journal-file.ts";

/**
 * Returns the journal error for a failure of SQLite or the file system, or null for any other
 * error.
 */
export function journalErrorOf(thrown: unknown, path: string): AppError<"journal"> | null {
  const error = fileErrorOf(thrown, path, journalWords);
  return isAppError(error, "journal") ? error : null;
}

/**
 * Returns a journal error for a caller that only reads: with another message and without a remedy.
 */
export function forReading(error: AppError<"journal">): AppError<"journal"> {
  const { path = "" } = error.facts;
  const words = error.message.replace(recordingIn(path), `The journal ${path} cannot be read`);
  return new AppError("journal", error.kind, words, { ...error.facts, remedy: null });
}
