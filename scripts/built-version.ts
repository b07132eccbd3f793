import { spawnSync } from "node:child_process";

/** The characters of a commit: as many on every machine, so that a package has the same bytes. */
const commitLength = 10;

/**
 * Returns the version of a build with the commit of its checkout, `0.3.0 (1a2b3c4d5e)`, and marks files
 * that differ from the commit. Without git, it is the version alone.
 */
export function builtVersion(version: string, checkout: string): string {
  const git = (...words: string[]) => spawnSync("git", words, { cwd: checkout, encoding: "utf8" });
  const { status, stdout } = git("rev-parse", "HEAD");
  if (status !== 0) return version;
  const changed = git("status", "--porcelain", "--untracked-files=no").stdout.trim() !== "";
  return `${version} (${stdout.slice(0, commitLength)}${changed ? ", changed" : ""})`;
}
