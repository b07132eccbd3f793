/**
 * Reads and changes one JSON file of the settings folder, with a lock and a check of the written
 * file.
 */
import { linkSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { default as Conf } from "conf";
import { AppError, isAppError } from "../errors/app-error.ts";
import { makePrivateFolder, readPrivateFile } from "../files/private.ts";
import { deeperThan, isRecord } from "../json/exact.ts";
import { jsonErrorAt } from "../json/scan.ts";
import { codeOf, diskWords, writeCodeOf } from "../text/disk-words.ts";
import { shellQuote } from "../text/shell-quote.ts";

/** The content of a settings file: always a JSON object. */
export type JsonFileContent = Readonly<Record<string, unknown>>;

/** One JSON file in the settings folder, written with conf. */
export interface JsonFile {
  readonly path: string;
  /**
   * Reads the file. The result is empty if the file is absent or empty. Throws `exposed`,
   * `corrupt`.
   */
  read(): JsonFileContent;
  /**
   * Updates the file: locks it, reads it, and writes the result of `patch`. Writes nothing if
   * `patch` returns its argument. On an error (from `read`, from `patch`, or `unwritable`) the file
   * is unchanged.
   */
  change(patch: (current: JsonFileContent) => JsonFileContent): void;
}

/**
 * Creates access to a file by its name without extension. Nothing is read or written before the
 * first call.
 */
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
          writeChecked(path, next, read);
        });
      });
    },
  };
}

/** Maximum nesting of a file, because writing it back is recursive. Real files are far below it. */
const deepest = 64;

function parse(path: string, content: string | null): JsonFileContent {
  const text = content?.replace(/^\uFEFF/, "") ?? "";
  if (text.trim() === "") return {};
  if (deeperThan(text, deepest)) throw corrupt(path, `is nested deeper than ${deepest} levels`);
  const error = jsonErrorAt(text);
  if (error) throw corrupt(path, `is not JSON at line ${error.line}, column ${error.column}`);
  const value: unknown = JSON.parse(text);
  if (!isRecord(value)) throw corrupt(path, "does not contain a JSON object");
  return value;
}

/**
 * Returns the error for a file that cannot be understood, with a way to continue without losing the
 * file.
 */
export function corrupt(path: string, what: string): AppError<"settings"> {
  return new AppError(
    "settings",
    "corrupt",
    `the settings file ${path} ${what}; it was not changed`,
    {
      fix: `fix it by hand, or start over with: mv ${shellQuote(path)} ${shellQuote(`${path}.broken`)}`,
    },
  );
}

/**
 * Writes with conf and reads the file back. conf does not check the number of written bytes, and on
 * a full disk renames a truncated file over the good one. A second name for the old file (which
 * takes no space) allows it to be restored.
 */
function writeChecked(path: string, next: JsonFileContent, read: () => JsonFileContent): void {
  const before = `${path}.before`;
  const old = secondName(path, before);
  try {
    openConf(path).store = { ...next };
    if (!isDeepStrictEqual(plain(read()), plain(next))) throw notTaken(path);
  } catch (error) {
    if (old === "kept") renameSync(before, path);
    else if (old === "none") rmSync(path, { force: true });
    throw isAppError(error, "settings") ? notTaken(path) : error;
  } finally {
    rmSync(before, { force: true });
  }
}

/**
 * Gives the old file a second name. Returns `impossible` on filesystems without hard links. The
 * write then continues without this protection.
 */
function secondName(path: string, before: string): "kept" | "none" | "impossible" {
  try {
    linkSync(path, before);
    return "kept";
  } catch (error) {
    return codeOf(error) === "ENOENT" ? "none" : "impossible";
  }
}

function notTaken(path: string): AppError<"settings"> {
  return new AppError(
    "settings",
    "unwritable",
    cannotKeep(path, "it was cut short, the disk may be full"),
  );
}

/** Loads conf at the first change, because that takes longer than a whole command should take. */
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

/** Removes files of an interrupted change. They can contain secrets that were deleted since. */
function removeLeftovers(path: string): void {
  const own = basename(path);
  for (const name of readdirSync(dirname(path)))
    if (name === `${own}.before` || name.startsWith(`${own}.tmp-`))
      rmSync(join(dirname(path), name), { force: true });
}

function asUnwritable(path: string, act: () => void): void {
  try {
    act();
  } catch (error) {
    if (isAppError(error, "settings")) throw error;
    throw new AppError(
      "settings",
      "unwritable",
      cannotKeep(path, diskWords(writeCodeOf(error, path))),
    );
  }
}

function cannotKeep(path: string, why: string): string {
  return `the change could not be saved in ${path}: ${why}`;
}

function plain(value: JsonFileContent): unknown {
  return JSON.parse(JSON.stringify(value));
}

interface LockTiming {
  /** Milliseconds after which an unchanged lock counts as left by a dead process. */
  readonly abandonedMs: number;
  /** Maximum milliseconds to wait for the lock. */
  readonly patienceMs: number;
}

const usualTiming: LockTiming = { abandonedMs: 2_000, patienceMs: 10_000 };
const pauseMs = 10;

/**
 * Runs `change` while no other process changes the settings of the same folder. conf reads, merges
 * and writes in three steps, so without this two processes lose each other's changes.
 *
 * The wait is synchronous and normally short: a lock exists for some milliseconds. A lock counts as
 * abandoned if it stays unchanged during the wait. Its time is not compared with the clock, because
 * clocks differ on network filesystems. Throws the errors of creating the lock, and `unwritable` if
 * the wait takes too long.
 */
export function withWriteLock<T>(
  path: string,
  change: () => T,
  timing: LockTiming = usualTiming,
): T {
  const own = crypto.randomUUID();
  acquire(path, own, timing);
  try {
    return change();
  } finally {
    if (holder(path) === own) rmSync(path, { force: true });
  }
}

function acquire(path: string, own: string, timing: LockTiming): void {
  let seen: string | null = null;
  let unchangedMs = 0;
  for (let waitedMs = 0; waitedMs <= timing.patienceMs; waitedMs += pauseMs) {
    if (create(path, own)) return;
    const now = holder(path);
    unchangedMs = now !== null && now === seen ? unchangedMs + pauseMs : 0;
    seen = now;
    if (now !== null && unchangedMs >= timing.abandonedMs) {
      evict(path, now, own);
      unchangedMs = 0;
    }
    pause();
  }
  throw new AppError(
    "settings",
    "unwritable",
    `another supplyline has locked the settings for ${Math.round(timing.patienceMs / 1000)} s; nothing was changed`,
    { fix: `try again, or remove ${shellQuote(path)} if no other supplyline is running` },
  );
}

function create(path: string, own: string): boolean {
  try {
    writeFileSync(path, own, { flag: "wx", mode: 0o600, flush: false });
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
}

/**
 * Returns the nonce of the lock's owner ("" between its creation and its writing), or null if the
 * lock is free. Throws `exposed` or `corrupt` for a lock that is not a plain file of this user: a
 * link would lead elsewhere, and a pipe would never be read to its end.
 */
const holder = readPrivateFile;

/** Moves the abandoned lock aside. Restores a lock that was taken again in the meantime. */
function evict(path: string, abandoned: string, own: string): void {
  const aside = `${path}.${own}`;
  try {
    renameSync(path, aside);
    if (holder(aside) !== abandoned) linkSync(aside, path);
  } catch (error) {
    if (codeOf(error) !== "ENOENT" && codeOf(error) !== "EEXIST") throw error;
  } finally {
    rmSync(aside, { force: true });
  }
}

function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
}
