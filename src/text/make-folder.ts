import { mkdirSync, statSync } from "node:fs";
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
