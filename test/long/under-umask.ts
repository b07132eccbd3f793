/** The built program as a user with any umask starts it. */

import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { programWords } from "../helpers/built-program.ts";
import { type Folders, programEnvironment } from "../helpers/folders.ts";
import { type CliResult, runProcess } from "../helpers/process.ts";

/** The words that start the program under a umask: `/bin/sh` and its arguments. */
export const umaskShell = (umask: string, args: readonly string[]) => [
  "-c",
  `umask ${umask}; exec "$@"`,
  "sh",
  ...programWords(),
  ...args,
];

/** Runs a command under a umask, to its end. */
export function runUnder(
  umask: string,
  folders: Folders,
  args: readonly string[],
  given: { readonly env?: Record<string, string>; readonly input?: string } = {},
): Promise<CliResult> {
  return runProcess(["/bin/sh", ...umaskShell(umask, args)], {
    cwd: folders.home,
    env: programEnvironment(folders, given.env),
    ...(given.input === undefined ? {} : { input: given.input }),
  });
}

/** Everything below a folder, by its path from there; links are not followed. */
export function everythingBelow(folder: string, from = ""): string[] {
  return readdirSync(join(folder, from), { withFileTypes: true }).flatMap((entry) => {
    const path = join(from, entry.name);
    return entry.isDirectory() ? [path, ...everythingBelow(folder, path)] : [path];
  });
}

/** Returns the paths below a folder that other users can access, with their modes. */
export function openToOthers(folder: string, from = ""): string[] {
  return readdirSync(join(folder, from), { withFileTypes: true }).flatMap((entry) => {
    const path = join(from, entry.name);
    const mode = lstatSync(join(folder, path)).mode & 0o777;
    // What stands in a closed folder is closed, whatever its own mode.
    if (entry.isDirectory() && (mode & 0o077) === 0) {
      return path.startsWith(".cache") ? [] : openToOthers(folder, path);
    }
    const below = entry.isDirectory() ? openToOthers(folder, path) : [];
    return (mode & 0o077) === 0 ? below : [`${path} ${mode.toString(8)}`, ...below];
  });
}
