import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { diskWords, isFull, probeWriting, writeCodeOf } from "../../text/disk-words.ts";

/**
 * Why the journal cannot be used.
 * - `full`: no room on the disk
 * - `read-only`: the folder or the file cannot be written
 * - `exposed`: others can read or write it
 * - `corrupt`: it is no journal, or a damaged one
 * - `too-new`: a later version of this program made it
 * - `busy`: another process held it for too long
 * - `failing`: the disk reports an error
 */
export type JournalErrorKind =
  | "full"
  | "read-only"
  | "exposed"
  | "corrupt"
  | "too-new"
  | "busy"
  | "failing";

/** Why the journal cannot be used; what is not on disk is not sent. `message` is a sentence for people. */
export class JournalError extends Error {
  readonly kind: JournalErrorKind;
  readonly path: string;
  /** A command that fixes it, where there is one. */
  readonly remedy: string | null;
  /** What the journal was wanted for: a reader need not hear that nothing was sent. */
  readonly purpose: "record" | "read";

  constructor(
    kind: JournalErrorKind,
    path: string,
    message: string,
    remedy: string | null = null,
    cause?: unknown,
    purpose: "record" | "read" = "record",
  ) {
    super(message, { cause });
    this.name = "JournalError";
    this.kind = kind;
    this.path = path;
    this.remedy = remedy;
    this.purpose = purpose;
  }

  /** The same for a caller that only wanted to read. */
  forReading(): JournalError {
    const { kind, path, remedy, cause } = this;
    const words = this.message.replace(recordingIn(path), `The journal ${path} cannot be read`);
    return new JournalError(kind, path, words, remedy, cause, "read");
  }
}

function recordingIn(path: string): string {
  return `Nothing can be recorded in ${path}`;
}

/** A value that this program would not write: another program wrote it, or the disk damaged it. */
export class UnreadableRow extends Error {
  constructor(column: string) {
    super(`its ${column.replaceAll("_", " ")} is not valid`);
    this.name = "UnreadableRow";
  }
}

/** A later version of this program has made the journal, or has taken it over. */
export class LaterVersion extends Error {}

/** SQLite has read the journal through and found it damaged. */
export class Damage extends Error {}

/**
 * The command that moves a damaged journal away. What its newest entries stand in goes with it: left
 * behind, it would be taken for that of the next journal, and lost.
 */
function moveAway(path: string): string {
  const ends = ["", "-wal", "-shm", "-journal"].filter(
    (end) => end === "" || existsSync(path + end),
  );
  return ends
    .map((end) => `mv ${shellWord(path + end)} ${shellWord(`${path}.damaged${end}`)}`)
    .join(" && ");
}

/** A word safe to paste into a POSIX shell. */
export function shellWord(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}

/** SQLite's primary result codes that mean something to people. */
const meanings: Readonly<Record<number, readonly [JournalErrorKind, string]>> = {
  5: ["busy", "another process is using the journal and did not release it"],
  6: ["busy", "another process is using the journal and did not release it"],
  8: ["read-only", "the journal cannot be written: its file or folder is read-only"],
  10: ["failing", "the disk reports an error for the journal"],
  11: ["corrupt", "the journal is damaged"],
  13: ["full", diskWords("ENOSPC")],
  14: ["read-only", "the journal cannot be opened"],
  23: ["read-only", "the journal may not be written"],
  26: ["corrupt", "the file is not a journal"],
};

/** Codes with which SQLite reports a full or read-only disk, among other things. */
const maybeDisk: readonly number[] = [8, 10, 13, 14];

/** What the system's own code means for the journal. */
function systemMeaning(code: string): readonly [JournalErrorKind, string] | undefined {
  // A number that the journal would never hold.
  if (code === "ERR_OUT_OF_RANGE") return ["corrupt", "the journal is damaged"];
  if (isFull(code)) return ["full", diskWords(code)];
  if (["EROFS", "EACCES", "EPERM"].includes(code)) return ["read-only", diskWords(code)];
  return /^E[A-Z]+$/.test(code) ? ["failing", diskWords(code)] : undefined;
}

/** What SQLite's code means; where it may be the disk, the disk is asked. */
function sqliteMeaning(
  code: number,
  path: string,
  message: string,
): readonly [JournalErrorKind, string] {
  const refusal = maybeDisk.includes(code) ? probeWriting(dirname(path)) : null;
  const meaning = refusal === null ? undefined : systemMeaning(refusal);
  return meaning ?? meanings[code] ?? ["failing", message];
}

/** SQLite's primary result code; null for what is no error of SQLite's. */
export function sqliteCode(thrown: unknown): number | null {
  if (!(thrown instanceof Error) || !("errcode" in thrown)) return null;
  return typeof thrown.errcode === "number" ? thrown.errcode & 0xff : null;
}

/** A failure of SQLite or the file system as a JournalError; null for anything else. */
export function journalErrorOf(thrown: unknown, path: string): JournalError | null {
  if (thrown instanceof JournalError) return thrown;
  if (!(thrown instanceof Error)) return null;
  if (thrown instanceof UnreadableRow)
    return new JournalError(
      "corrupt",
      path,
      `An entry of the journal ${path} cannot be understood: ${thrown.message}.`,
    );
  if (thrown instanceof LaterVersion) {
    const words = `${path} was made by a later version of supplyline; this one cannot add to it.`;
    return new JournalError("too-new", path, words);
  }
  if (thrown instanceof Damage)
    return new JournalError(
      "corrupt",
      path,
      `The journal ${path} is damaged (${thrown.message}). Move it away, while no other supplyline runs, to begin a new one. Store it: it is the record of what was sent.`,
      moveAway(path),
    );
  const code = sqliteCode(thrown);
  const system = "code" in thrown && typeof thrown.code === "string" ? thrown.code : "";
  const meaning =
    code === null
      ? systemMeaning(system === "ENOENT" ? writeCodeOf(thrown, path) : system)
      : sqliteMeaning(code, path, thrown.message);
  if (meaning === undefined) return null;
  const [kind, words] = meaning;
  return new JournalError(
    kind,
    path,
    `${recordingIn(path)}: ${words}.`,
    kind === "corrupt" ? moveAway(path) : null,
    thrown,
  );
}
