/**
 * Reads and changes one JSON file of the settings folder. A change locks the folder and checks the
 * written file.
 */
import { linkSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { default as Conf } from "conf";
import { AppError, isAppError } from "../errors/app-error.ts";
import { makePrivateFolder, readPrivateFile } from "../files/private.ts";
import { deeperThan, isRecord } from "../json/exact.ts";
import { jsonErrorAt } from "../json/scan.ts";
import { isLogged, log } from "../log/log.ts";
import { codeOf, diskWords, isFull, otherFolderRemedy, writeCodeOf } from "../text/disk-words.ts";
import { shellQuote } from "../text/shell-quote.ts";

export type JsonFileContent = Readonly<Record<string, unknown>>;

export interface JsonFile {
  readonly path: string;
  /** Reads the file, or nothing if it is absent. Throws `exposed`, and `corrupt`, also if empty. */
  read(): JsonFileContent;
  /**
   * Updates the file: locks it, reads it, and writes the result of `patch`. Writes nothing if
   * `patch` returns its argument. On an error (from `read`, from `patch`, or `unwritable`) the file
   * is unchanged.
   */
  change(patch: (current: JsonFileContent) => JsonFileContent): void;
}

/** Creates access to a file by its name without extension. Reads nothing before a call. */
export function jsonFile(folder: string, name: string): JsonFile {
  const path = join(folder, `${name}.json`);
  const read = () => parse(path, readPrivateFile(path));
  return {
    path,
    read,
    change(patch) {
      asUnwritable(path, () => {
        makePrivateFolder(folder);
        withWriteLock(join(folder, "settings.lock"), () => {
          const current = read();
          const next = patch(current);
          if (next === current) return;
          removeLeftovers(path);
          logWriting(path, () => writeChecked(path, next, read));
        });
      });
    },
  };
}

/** Maximum nesting of a file in levels, because writing a file is recursive. */
const maxLevels = 64;

/** Parses the content of a file, or null without a file. Throws `corrupt`. */
function parse(path: string, content: string | null): JsonFileContent {
  if (content === null) return {};
  const text = content.replace(/^\uFEFF/, "");
  if (text.trim() === "") throw corrupt(path, "is empty, and its settings are lost");
  if (deeperThan(text, maxLevels)) throw corrupt(path, `is nested deeper than ${maxLevels} levels`);
  const error = jsonErrorAt(text);
  if (error) throw corrupt(path, `is not JSON at line ${error.line}, column ${error.column}`);
  const value: unknown = JSON.parse(text);
  if (!isRecord(value)) throw corrupt(path, "does not contain a JSON object");
  return value;
}

/** Returns the error for a file with an invalid content. The remedy does not delete the file. */
export function corrupt(path: string, problem: string): AppError<"settings"> {
  return new AppError(
    "settings",
    "corrupt",
    `the settings file ${path} ${problem}; it was not changed`,
    {
      fix: `fix it by hand, or start over with: mv ${shellQuote(path)} ${shellQuote(`${path}.broken`)}`,
    },
  );
}

/**
 * Writes with conf and reads the file back. conf does not check the number of written bytes, and on
 * a full disk replaces the file by a truncated one. A hard link to the old file, which takes no
 * space, is used to restore the old file.
 */
function writeChecked(path: string, next: JsonFileContent, read: () => JsonFileContent): void {
  const backup = `${path}.before`;
  const old = linkBackup(path, backup);
  try {
    openConf(path).store = { ...next };
    if (!isDeepStrictEqual(asJson(read()), asJson(next))) throw truncated(path);
  } catch (error) {
    if (old === "linked") renameSync(backup, path);
    else if (old === "none") rmSync(path, { force: true });
    throw isAppError(error, "settings") ? truncated(path) : error;
  } finally {
    rmSync(backup, { force: true });
  }
}

function logWriting(path: string, write: () => void): void {
  const began = performance.now();
  const ms = () => Math.round(performance.now() - began);
  try {
    write();
  } catch (error) {
    log({ event: "file-failed", path, code: codeOf(error), ms: ms() });
    throw error;
  }
  if (isLogged()) log({ event: "file-written", path, bytes: statSync(path).size, ms: ms() });
}

/**
 * Creates a hard link to the old file. Returns `impossible` on filesystems without hard links,
 * where the file is written without a backup.
 */
function linkBackup(path: string, backup: string): "linked" | "none" | "impossible" {
  try {
    linkSync(path, backup);
    return "linked";
  } catch (error) {
    return codeOf(error) === "ENOENT" ? "none" : "impossible";
  }
}

function truncated(path: string): AppError<"settings"> {
  return new AppError(
    "settings",
    "unwritable",
    notSaved(path, "the file was cut short, and the disk might be full"),
  );
}

/** Loads conf only for a change, because that takes longer than a whole command should take. */
function openConf(path: string): Conf<Record<string, unknown>> {
  const module: { default: typeof Conf<Record<string, unknown>> } = createRequire(import.meta.url)(
    "conf",
  );
  return new module.default({
    cwd: dirname(path),
    configName: basename(path, ".json"),
    configFileMode: 0o600,
    accessPropertiesByDotNotation: false,
  });
}

/** Removes files of an interrupted change, which can contain deleted secrets. */
function removeLeftovers(path: string): void {
  const fileName = basename(path);
  for (const name of readdirSync(dirname(path)))
    if (name === `${fileName}.before` || name.startsWith(`${fileName}.tmp-`))
      rmSync(join(dirname(path), name), { force: true });
}

/** Runs a change. Throws `unwritable` in place of an error of the file system. */
function asUnwritable(path: string, change: () => void): void {
  try {
    change();
  } catch (error) {
    if (isAppError(error, "settings")) throw error;
    const code = writeCodeOf(error, path);
    throw new AppError("settings", "unwritable", notSaved(path, diskWords(code)), {
      fix: isFull(code) ? null : otherFolderRemedy("SUPPLYLINE_CONFIG_DIR", path),
    });
  }
}

function notSaved(path: string, reason: string): string {
  return `the change could not be saved in ${path}: ${reason}`;
}

function asJson(value: JsonFileContent): unknown {
  return JSON.parse(JSON.stringify(value));
}

interface LockTiming {
  /** Milliseconds after which an unchanged lock counts as abandoned. */
  readonly abandonedMs: number;
  readonly maxWaitMs: number;
}

const defaultTiming: LockTiming = { abandonedMs: 2_000, maxWaitMs: 10_000 };
const pauseMs = 10;

/**
 * Runs `change` while no other process changes the settings of the same folder. conf reads, merges
 * and writes in three steps, so without the lock a process could overwrite the change of another.
 * `path` is the path of the lock.
 *
 * The wait is synchronous and normally short: a lock exists for some milliseconds. A lock counts as
 * abandoned if it stays unchanged during the wait. Its time is not compared with the clock, because
 * clocks differ on network filesystems. Throws the errors of creating the lock, and `unwritable` if
 * the wait takes too long.
 */
export function withWriteLock<T>(
  path: string,
  change: () => T,
  timing: LockTiming = defaultTiming,
): T {
  const nonce = crypto.randomUUID();
  acquire(path, nonce, timing);
  try {
    return change();
  } finally {
    if (lockNonce(path) === nonce) rmSync(path, { force: true });
  }
}

function acquire(path: string, nonce: string, timing: LockTiming): void {
  let previous: string | null = null;
  let unchangedMs = 0;
  for (let waitedMs = 0; waitedMs <= timing.maxWaitMs; waitedMs += pauseMs) {
    if (create(path, nonce)) return;
    const current = lockNonce(path);
    unchangedMs = current !== null && current === previous ? unchangedMs + pauseMs : 0;
    previous = current;
    if (current !== null && unchangedMs >= timing.abandonedMs) {
      removeAbandoned(path, current, nonce);
      unchangedMs = 0;
    }
    pause();
  }
  throw new AppError(
    "settings",
    "unwritable",
    `another supplyline has locked the settings for ${Math.round(timing.maxWaitMs / 1000)} s; nothing was changed`,
    { fix: `try again, or remove ${shellQuote(path)} if no other supplyline is running` },
  );
}

/** Creates the lock. Returns false if it exists. */
function create(path: string, nonce: string): boolean {
  try {
    writeFileSync(path, nonce, { flag: "wx", mode: 0o600, flush: false });
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
}

/**
 * Returns the nonce in the lock, an empty text if the lock is not written yet, or null if there is
 * no lock. Throws `exposed` or `corrupt` for a lock that is not a plain file of this user.
 */
const lockNonce = readPrivateFile;

/** Removes an abandoned lock. Restores a lock that another process created in the meantime. */
function removeAbandoned(path: string, abandoned: string, nonce: string): void {
  const aside = `${path}.${nonce}`;
  try {
    renameSync(path, aside);
    if (lockNonce(aside) !== abandoned) linkSync(aside, path);
  } catch (error) {
    if (codeOf(error) !== "ENOENT" && codeOf(error) !== "EEXIST") throw error;
  } finally {
    rmSync(aside, { force: true });
  }
}

function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
}
