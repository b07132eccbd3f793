/**
 * Defines the kinds of database files, and describes errors of SQLite and the disk for the user.
 */
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { AppError, type ErrorFacts, type FileErrorKind, isAppError } from "../errors/app-error.ts";
import {
  codeOf,
  diskWords,
  isFull,
  otherFolderRemedy,
  probeWriting,
  writeCodeOf,
} from "../text/disk-words.ts";
import { shellQuote } from "../text/shell-quote.ts";

/** An update of a file by one version: SQL, or a function for what SQL cannot express. */
type FileStep = string | ((database: DatabaseSync) => void);

export interface FileKind {
  readonly file: string;
  /** The id in the header of the file, so that a file of another program is recognized. */
  readonly applicationId: number;
  /** The version that the first step creates. No earlier version was published. */
  readonly firstVersion: number;
  /** The steps. Each updates the file by one version. Released steps are never changed. */
  readonly steps: readonly FileStep[];
  readonly about: "journal" | "file";
  readonly noun: string;
  /** The reason why others must not read the file, as the second half of a sentence. */
  readonly holds: string;
  readonly row: string;
  /** The last sentence of the advice on a damaged file. */
  readonly onDamage: string;
  /** The sentence added to errors about the file, such as `Nothing was sent.`. Default: none. */
  readonly remedy?: string;
  /** True if a file that cannot be written is opened for reading instead. Default: false. */
  readonly opensReadOnly?: boolean;
}

export function fileError(
  { about, remedy }: Pick<FileKind, "about" | "remedy">,
  kind: FileErrorKind,
  path: string,
  message: string,
  more: Pick<ErrorFacts, "fix" | "cause"> = {},
): AppError<"journal" | "file"> {
  return new AppError(about, kind, message, { ...more, path, remedy: remedy ?? null });
}

/**
 * An error for a value that this program never writes. Another program wrote the value, or the disk
 * is damaged.
 */
export class UnreadableRow extends Error {
  constructor(column: string) {
    super(`its ${column.replaceAll("_", " ")} is not valid`);
    this.name = "UnreadableRow";
  }
}

export class LaterVersion extends Error {}

export class Damage extends Error {}

export function cannotRecordIn(path: string): string {
  return `Nothing can be recorded in ${path}`;
}

/**
 * Returns the command that moves a damaged file away, together with SQLite's files beside it. If
 * these files remained, SQLite would read them as part of the next file, and their rows would be
 * lost.
 */
export function moveAway(path: string): string {
  const suffixes = ["", "-wal", "-shm", "-journal"].filter(
    (suffix) => suffix === "" || existsSync(path + suffix),
  );
  return suffixes
    .map((suffix) => `mv ${shellQuote(path + suffix)} ${shellQuote(`${path}.damaged${suffix}`)}`)
    .join(" && ");
}

function sqliteMeanings(noun: string): Readonly<Record<number, readonly [FileErrorKind, string]>> {
  const busy = `another process is using the ${noun} and did not release it`;
  return {
    5: ["busy", busy],
    6: ["busy", busy],
    8: ["read-only", `the ${noun} cannot be written: its file or folder is read-only`],
    10: ["failing", `the disk reports an error for the ${noun}`],
    11: ["corrupt", `the ${noun} is damaged`],
    13: ["full", diskWords("ENOSPC")],
    14: ["read-only", `the ${noun} cannot be opened`],
    23: ["read-only", `the ${noun} may not be written`],
    26: ["corrupt", `the file is no ${noun}`],
  };
}

/** The codes with which SQLite reports a full or read-only disk, among other causes. */
const maybeDisk: readonly number[] = [8, 10, 13, 14];

function systemMeaning(code: string, noun: string): readonly [FileErrorKind, string] | undefined {
  // A column has a number that this program never stores.
  if (code === "ERR_OUT_OF_RANGE") return ["corrupt", `the ${noun} is damaged`];
  if (isFull(code)) return ["full", diskWords(code)];
  if (["EROFS", "EACCES", "EPERM"].includes(code)) return ["read-only", diskWords(code)];
  return /^E[A-Z]+$/.test(code) ? ["failing", diskWords(code)] : undefined;
}

/**
 * Returns the kind and the words of an error code of SQLite. If the disk might be the cause, writes
 * a test file to find the cause.
 */
function sqliteMeaning(
  code: number,
  path: string,
  message: string,
  noun: string,
): readonly [FileErrorKind, string] {
  const writeCode = maybeDisk.includes(code) ? probeWriting(dirname(path)) : null;
  const meaning = writeCode === null ? undefined : systemMeaning(writeCode, noun);
  return meaning ?? sqliteMeanings(noun)[code] ?? ["failing", message];
}

export function isBusy(thrown: unknown): boolean {
  const code = sqliteCode(thrown);
  return code === 5 || code === 6;
}

function sqliteCode(thrown: unknown): number | null {
  if (!(thrown instanceof Error) || !("errcode" in thrown)) return null;
  return typeof thrown.errcode === "number" ? thrown.errcode & 0xff : null;
}

export function fileErrorOf(
  thrown: unknown,
  path: string,
  kind: Omit<FileKind, "steps" | "firstVersion">,
): AppError<"journal" | "file"> | null {
  const { noun } = kind;
  if (isAppError(thrown, kind.about)) return thrown;
  if (!(thrown instanceof Error)) return null;
  if (thrown instanceof UnreadableRow) {
    const words = `${kind.row} of the ${noun} ${path} cannot be understood: ${thrown.message}.`;
    return fileError(kind, "corrupt", path, words);
  }
  if (thrown instanceof LaterVersion) {
    const words = `${path} was made by a later version of supplyline; this one cannot add to it.`;
    return fileError(kind, "too-new", path, words);
  }
  if (thrown instanceof Damage) {
    const words = `The ${noun} ${path} is damaged (${thrown.message}). Move it away, while no other supplyline runs, to begin a new one. ${kind.onDamage}`;
    return fileError(kind, "corrupt", path, words, { fix: moveAway(path) });
  }
  const code = sqliteCode(thrown);
  const system = codeOf(thrown);
  const meaning =
    code === null
      ? systemMeaning(system === "ENOENT" ? writeCodeOf(thrown, path) : system, noun)
      : sqliteMeaning(code, path, thrown.message, noun);
  if (meaning === undefined) return null;
  const [errorKind, words] = meaning;
  const fixes: Partial<Record<FileErrorKind, string | null>> = {
    corrupt: moveAway(path),
    "read-only": otherFolderRemedy("SUPPLYLINE_STATE_DIR", path),
  };
  const fix = fixes[errorKind] ?? null;
  const message = `${cannotRecordIn(path)}: ${words}.`;
  return fileError(kind, errorKind, path, message, { fix, cause: thrown });
}
