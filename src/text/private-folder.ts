import { mkdirSync, realpathSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { codeOf, noFolder } from "./disk-words.ts";

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

/** False also for what cannot be looked at: making it says why. */
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

/**
 * What is wrong with who can reach a file or folder: another user owns one of `stats`, or others may
 * read or write the first. Null also on Windows, which knows no such modes (the profile folder is the
 * user's own there).
 */
export function exposureOf(
  ...stats: readonly { readonly uid: number; readonly mode: number }[]
): "foreign" | "open" | null {
  const me = ownNumber();
  if (me === undefined) return null;
  if (stats.some(({ uid }) => uid !== me)) return "foreign";
  return ((stats[0]?.mode ?? 0) & 0o077) === 0 ? null : "open";
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
