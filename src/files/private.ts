/** Files and folders that only their owner may reach: made, checked and read in one place. */
import { chmodSync, lstatSync, mkdirSync, realpathSync, type Stats, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { AppError } from "../errors/app-error.ts";
import { codeOf, noFolder } from "../text/disk-words.ts";
import { shellQuote } from "../text/shell-quote.ts";
import { readRegularFile } from "./regular-file.ts";

/**
 * Makes a folder for its owner alone (0700) with those above it, where they are missing, and returns
 * the first one made, if any. Node's own recursive mkdir never returns where the system answers
 * ENOENT for a new folder, as below /proc: that is the code `noFolder` here. Throws the system's error.
 */
export function makeFolder(path: string): string | undefined {
  const missing: string[] = [];
  for (let at = resolve(path); !isFolder(at); at = dirname(at)) {
    missing.unshift(at);
    if (dirname(at) === at) break;
  }
  let first: string | undefined;
  for (const folder of missing) {
    try {
      mkdirSync(folder, { mode: 0o700 });
      first ??= folder;
    } catch (error) {
      // Another process may have made it meanwhile.
      if (codeOf(error) === "EEXIST" && isFolder(folder)) continue;
      if (codeOf(error) !== "ENOENT") throw error;
      throw Object.assign(new Error(`no folder can be made at ${folder}`), { code: noFolder });
    }
  }
  return first;
}

/** Returns false also for a path that cannot be examined: making it says why. */
function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** The number of the user who runs this; undefined on Windows. */
function ownNumber(): number | undefined {
  // biome-ignore lint/style/noRestrictedGlobals: the table of users does not know every user of a container.
  return process.getuid?.();
}

type Kind = "file" | "folder";

/** The problem with a file or folder that must be its owner's alone. */
interface Unfit {
  /** `other`: something else than a file or a folder is there. */
  readonly kind: "exposed" | "other";
  /** The end of a sentence that names it. */
  readonly words: string;
  /** The command or action that fixes it, or null if none is known. */
  readonly fix: string | null;
}

/**
 * Returns the problem with a file or folder that only its owner may reach, or null if it is fit for use.
 * `stats` are those that decide; `link` those of the name, if links are followed. Windows has no such
 * modes: the profile folder is the user's alone there.
 */
export function unfit(what: Kind, path: string, stats: Stats, link: Stats = stats): Unfit | null {
  if (stats.isSymbolicLink()) {
    const fix =
      what === "folder"
        ? "set SUPPLYLINE_CONFIG_DIR or SUPPLYLINE_STATE_DIR to the folder it points to"
        : `replace ${shellQuote(path)} by the file it points to`;
    return { kind: "exposed", words: "is a symbolic link", fix };
  }
  if (what === "file" ? !stats.isFile() : !stats.isDirectory())
    return { kind: "other", words: `is not a ${what}`, fix: `move ${shellQuote(path)} away` };
  const me = ownNumber();
  if (me === undefined) return null;
  if (stats.uid !== me || link.uid !== me) {
    const fix = `sudo chown "$(id -u)" ${shellQuote(path)}`;
    return { kind: "exposed", words: "belongs to another user", fix };
  }
  if ((stats.mode & 0o077) === 0) return null;
  return {
    kind: "exposed",
    words: `is open to other users (mode 0${(stats.mode & 0o777).toString(8)})`,
    fix: `chmod ${what === "folder" ? "700" : "600"} ${shellQuote(path)}`,
  };
}

/** Creates the folder for its owner alone, whatever the umask, or checks the one that exists. */
export function makePrivateFolder(path: string): void {
  if (makeFolder(path) !== undefined) chmodSync(path, 0o700);
  checkPrivateFolder(path);
}

/**
 * Checks that a folder is its owner's alone; one that does not exist is fine. Throws a settings error
 * `exposed` for a link, another owner or a mode beyond 0700, and `unwritable` if it is no folder.
 */
export function checkPrivateFolder(path: string): void {
  let stats: Stats | undefined;
  try {
    stats = lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    throw refused("unwritable", `the folder ${path} cannot be used (${codeOf(error)})`);
  }
  if (stats !== undefined) checkPrivate("folder", path, stats);
}

/** Far above the size of settings; keeps a wrong file from being read into memory. */
const largest = 8 * 1024 * 1024;

/** Returns the text of a file, as `readPrivateBytes` reads it. */
export function readPrivateFile(path: string): string | null {
  return readPrivateBytes(path, largest)?.toString("utf8") ?? null;
}

/**
 * Returns the bytes of a file that only its owner may read, or null if it does not exist. Throws a
 * settings error `exposed` for a link, another owner or a mode beyond 0600, and `corrupt` if it is no
 * file, cannot be read, or has more than `most` bytes.
 */
export function readPrivateBytes(path: string, most: number): Buffer | null {
  const check = (stats: Stats) => checkPrivate("file", path, stats);
  const file = readRegularFile(path, most, { isLinkFollowed: false, check });
  if (file.kind === "read") return file.bytes;
  if (file.kind === "no-file") checkPrivate("file", path, file.stats);
  if (file.kind !== "failed") throw refused("corrupt", `the file ${path} is far too large`);
  const code = codeOf(file.error);
  if (code === "ENOENT" || code === "ENOTDIR") return null;
  if (code === "ELOOP") checkPrivate("file", path, lstatSync(path));
  const fix = code === "EACCES" ? `chmod 600 ${shellQuote(path)}` : null;
  throw refused("corrupt", `the file ${path} cannot be read (${code})`, fix);
}

function checkPrivate(what: Kind, path: string, stats: Stats): void {
  const problem = unfit(what, path, stats);
  if (problem === null) return;
  const other = what === "file" ? "corrupt" : "unwritable";
  const kind = problem.kind === "exposed" ? "exposed" : other;
  throw refused(kind, `the ${what} ${path} ${problem.words}; it is not used`, problem.fix);
}

function refused(
  kind: "exposed" | "corrupt" | "unwritable",
  words: string,
  fix: string | null = null,
): AppError<"settings"> {
  return new AppError("settings", kind, words, { fix });
}

/**
 * Returns the nearest folder above a path in which another user can put something else in its place,
 * or null if there is none. A folder with the sticky bit lets no one remove what is another's.
 */
export function replaceableIn(path: string): string | null {
  const me = ownNumber();
  if (me === undefined) return null;
  for (let at = dirname(real(resolve(path))); ; at = dirname(at)) {
    const found = statSync(at, { throwIfNoEntry: false });
    const isForeign = found !== undefined && found.uid !== 0 && found.uid !== me;
    const isOpen = found !== undefined && (found.mode & 0o1002) === 0o002;
    if (isForeign || isOpen) return at;
    if (dirname(at) === at) return null;
  }
}

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
