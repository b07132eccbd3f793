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
