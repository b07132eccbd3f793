/** Creates, checks and reads files and folders that only their owner can access. */
import { chmodSync, lstatSync, mkdirSync, realpathSync, type Stats, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { AppError } from "../errors/app-error.ts";
import { codeOf, noFolder } from "../text/disk-words.ts";
import { shellQuote } from "../text/shell-quote.ts";
import { readRegularFile } from "./regular-file.ts";

/**
 * Creates a folder and its missing parent folders with mode 0700. Returns the first folder created,
 * or undefined if all exist. Throws the system's error, or an error with the code `noFolder` if the
 * system reports ENOENT for a new folder, as below /proc. Node's own recursive mkdir never returns
 * there.
 */
export function makeFolder(path: string): string | undefined {
  const missing: string[] = [];
  for (let ancestor = resolve(path); !isFolder(ancestor); ancestor = dirname(ancestor)) {
    missing.unshift(ancestor);
    if (dirname(ancestor) === ancestor) break;
  }
  let first: string | undefined;
  for (const folder of missing) {
    try {
      mkdirSync(folder, { mode: 0o700 });
      first ??= folder;
    } catch (error) {
      // Another process might have created the folder meanwhile.
      if (codeOf(error) === "EEXIST" && isFolder(folder)) continue;
      if (codeOf(error) !== "ENOENT") throw error;
      throw Object.assign(new Error(`no folder can be made at ${folder}`), { code: noFolder });
    }
  }
  return first;
}

/**
 * Returns true if the path is a folder. Returns false if the path cannot be examined, because
 * creating the folder then reports the reason.
 */
function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** Returns the number of the user who runs the program, or undefined on Windows. */
function ownUserId(): number | undefined {
  // biome-ignore lint/style/noRestrictedGlobals: the table of users does not know every user of a container.
  return process.getuid?.();
}

type EntryType = "file" | "folder";

interface AccessProblem {
  /**
   * `exposed` for a link, another owner or access by other users. `other` for another type of entry
   * than expected.
   */
  readonly kind: "exposed" | "other";
  /** The rest of a sentence that begins with the file or folder. */
  readonly words: string;
  readonly fix: string | null;
}

/**
 * Returns the problem with a file or folder that only its owner must be able to access, or null if
 * there is none. If links are followed, `stats` describes the target, and `link` describes the
 * link. Windows has no such modes. Only the user can access the profile folder there.
 */
export function accessProblem(
  type: EntryType,
  path: string,
  stats: Stats,
  link: Stats = stats,
): AccessProblem | null {
  if (stats.isSymbolicLink()) {
    const fix =
      type === "folder"
        ? "set SUPPLYLINE_CONFIG_DIR or SUPPLYLINE_STATE_DIR to the folder it points to"
        : `replace ${shellQuote(path)} by the file it points to`;
    return { kind: "exposed", words: "is a symbolic link", fix };
  }
  if (type === "file" ? !stats.isFile() : !stats.isDirectory())
    return { kind: "other", words: `is not a ${type}`, fix: `move ${shellQuote(path)} away` };
  const userId = ownUserId();
  if (userId === undefined) return null;
  if (stats.uid !== userId || link.uid !== userId) {
    const chown = `sudo chown "$(id -u)" ${shellQuote(path)}`;
    // The owner of a mounted volume cannot be changed from inside a container.
    const below = "set SUPPLYLINE_CONFIG_DIR or SUPPLYLINE_STATE_DIR to a new folder below it";
    const fix = type === "folder" ? `${chown}, or for a mounted volume ${below}` : chown;
    return { kind: "exposed", words: "belongs to another user", fix };
  }
  if ((stats.mode & 0o077) === 0) return null;
  return {
    kind: "exposed",
    words: `is open to other users (mode 0${(stats.mode & 0o777).toString(8)})`,
    fix: `chmod ${type === "folder" ? "700" : "600"} ${shellQuote(path)}`,
  };
}

/**
 * Creates a folder that only its owner can access, regardless of the umask, or checks the existing
 * folder.
 */
export function makePrivateFolder(path: string): void {
  if (makeFolder(path) !== undefined) chmodSync(path, 0o700);
  checkPrivateFolder(path);
}

/**
 * Checks that only its owner can access a folder. A missing folder passes. Throws a settings error:
 * `exposed` for a link, another owner or a mode beyond 0700, and `unwritable` if it is not a folder
 * or cannot be examined.
 */
export function checkPrivateFolder(path: string): void {
  let stats: Stats | undefined;
  try {
    stats = lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    throw settingsError("unwritable", `the folder ${path} cannot be used (${codeOf(error)})`);
  }
  if (stats !== undefined) checkPrivate("folder", path, stats);
}

/**
 * Maximum size of a settings file in bytes. It is far above the usual size, so only a wrong file is
 * larger.
 */
const maxSettingsBytes = 8 * 1024 * 1024;

/**
 * Returns the text of a file that only its owner can access, or null if it does not exist. Throws
 * a settings error: `exposed` for a link, another owner or a mode beyond 0600, and `corrupt` if it
 * is not a file, cannot be read, or is too large.
 */
export function readPrivateFile(path: string): string | null {
  const check = (stats: Stats) => checkPrivate("file", path, stats);
  const file = readRegularFile(path, maxSettingsBytes, { isLinkFollowed: false, check });
  if (file.kind === "read") return file.bytes.toString("utf8");
  if (file.kind === "no-file") checkPrivate("file", path, file.stats);
  if (file.kind !== "failed") throw settingsError("corrupt", `the file ${path} is far too large`);
  const code = codeOf(file.error);
  if (code === "ENOENT" || code === "ENOTDIR") return null;
  if (code === "ELOOP") checkPrivate("file", path, lstatSync(path));
  const fix = code === "EACCES" ? `chmod 600 ${shellQuote(path)}` : null;
  throw settingsError("corrupt", `the file ${path} cannot be read (${code})`, fix);
}

/** Throws a settings error if others can access a file or folder, or if it has another type. */
function checkPrivate(type: EntryType, path: string, stats: Stats): void {
  const problem = accessProblem(type, path, stats);
  if (problem === null) return;
  const other = type === "file" ? "corrupt" : "unwritable";
  const kind = problem.kind === "exposed" ? "exposed" : other;
  throw settingsError(kind, `the ${type} ${path} ${problem.words}; it is not used`, problem.fix);
}

function settingsError(
  kind: "exposed" | "corrupt" | "unwritable",
  words: string,
  fix: string | null = null,
): AppError<"settings"> {
  return new AppError("settings", kind, words, { fix });
}

/**
 * Returns the nearest parent folder in which another user can replace the path, or null if there is
 * none. In a folder with the sticky bit, no one can remove the files of another user.
 */
export function replaceableIn(path: string): string | null {
  const userId = ownUserId();
  if (userId === undefined) return null;
  for (let folder = dirname(realPath(resolve(path))); ; folder = dirname(folder)) {
    const stats = statSync(folder, { throwIfNoEntry: false });
    const isForeign = stats !== undefined && stats.uid !== 0 && stats.uid !== userId;
    const isOpen = stats !== undefined && (stats.mode & 0o1002) === 0o002;
    if (isForeign || isOpen) return folder;
    if (dirname(folder) === folder) return null;
  }
}

/** Returns the path without links, or the same path if it cannot be resolved. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
