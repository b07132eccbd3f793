import { existsSync } from "node:fs";
import { resolve } from "node:path";

const projectFolder = resolve(import.meta.dirname, "../..");

/** The path of the built entry. Throws when it has not been built. */
export function builtProgram(folder = projectFolder): string {
  const entry = resolve(folder, "dist/cli.js");
  if (!existsSync(entry)) {
    throw new Error(`${entry} is not there: run npm run build first`);
  }
  return entry;
}

/** The words that start the program: the executable of SUPPLYLINE_EXECUTABLE, or this Node and the build. */
export function programWords(): readonly [string, ...string[]] {
  const { SUPPLYLINE_EXECUTABLE: executable } = process.env;
  return executable ? [resolve(projectFolder, executable)] : [process.execPath, builtProgram()];
}

/** The same as a shell reads it. */
export function programInShell(): string {
  return programWords()
    .map((word) => `'${word}'`)
    .join(" ");
}

/** True if the program is the build in dist/, which tests can examine. */
export const isBuild = !process.env.SUPPLYLINE_EXECUTABLE;
