import { execFile } from "node:child_process";
import { readdir } from "node:fs/promises";
import { join, relative } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** The folder that the build writes. Git does not track it. */
const built = "dist";

/** The files that npm adds to each package. It writes package.json itself. */
const addedByNpm = ["package.json", "README.md", "LICENSE"];

/** Returns the files of a checkout that git tracks, as paths from its folder. Throws without git. */
export async function trackedFiles(checkout: string): Promise<ReadonlySet<string>> {
  const options = { cwd: checkout, maxBuffer: 2 ** 26 };
  const { stdout } = await run("git", ["ls-files", "-z"], options).catch((error: Error) => {
    throw new Error(`Only files that git tracks are packed, and git does not list them: ${error}`);
  });
  return new Set(stdout.split("\0").filter((path) => path !== ""));
}

/**
 * Returns the files of a packed folder that neither git tracks nor the build writes, such as results
 * with account numbers that someone left beside the examples.
 */
export async function strayFiles(
  folder: string,
  tracked: ReadonlySet<string>,
): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .filter((path) => !path.startsWith(`${built}/`) && !addedByNpm.includes(path))
    .filter((path) => !tracked.has(path))
    .sort();
}

/** The examples, and the pages for a machine that has neither the checkout nor a network. */
const texts = /^(?:examples\/|docs\/(?!development\/)|(?:README|CHANGELOG|SECURITY)\.md$)/;

/** Returns the examples and pages of the archive: files that git tracks, and no others. */
export async function archivedTexts(checkout: string): Promise<readonly string[]> {
  return [...(await trackedFiles(checkout))].filter((path) => texts.test(path));
}
