import {
  FileError,
  type FileErrorKind,
  fileErrorOf,
  recordingIn,
} from "../../sqlite/file-error.ts";
import { journalWords } from "./journal-file.ts";

/** Why the journal cannot be used; what is not on disk is not sent. `message` is a sentence for people. */
export class JournalError extends FileError {
  /** What the journal was wanted for: a reader need not hear that nothing was sent. */
  readonly purpose: "record" | "read";

  constructor(
    kind: FileErrorKind,
    path: string,
    message: string,
    remedy: string | null = null,
    cause?: unknown,
    purpose: "record" | "read" = "record",
  ) {
    super(kind, path, message, remedy, cause);
    this.name = "JournalError";
    this.purpose = purpose;
  }

  /** The same for a caller that only wanted to read. */
  forReading(): JournalError {
    const { kind, path, remedy, cause } = this;
    const words = this.message.replace(recordingIn(path), `The journal ${path} cannot be read`);
    return new JournalError(kind, path, words, remedy, cause, "read");
  }
}

/** A failure of SQLite or the file system as a JournalError; null for anything else. */
export function journalErrorOf(thrown: unknown, path: string): JournalError | null {
  if (thrown instanceof JournalError) return thrown;
  const error = fileErrorOf(thrown, path, journalWords);
  if (error === null) return null;
  const { kind, message, remedy, cause } = error;
  return new JournalError(kind, error.path, message, remedy, cause);
}
