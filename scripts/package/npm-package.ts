import { execFile } from "node:child_process";
import { copyFile, glob, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { strayFiles, trackedFiles } from "./tracked.ts";

const run = promisify(execFile);

/**
 * Writes the package that is published, from a checkout that is built: the bundle without the packages
 * that it was bundled from, so that installing it fetches nothing. A file that git does not track is left
 * out. Returns the name of the package.
 */
export async function packForNpm(checkout: string, into: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "supplyline-npm-"));
  const pack = async (from: string) => {
    const words = ["pack", "--silent", "--ignore-scripts", "--offline", from];
    return (await run("npm", words, { cwd: folder })).stdout.trim();
  };
  try {
    const whole = await pack(checkout);
    await run("tar", ["xzf", whole], { cwd: folder });
    const strays = await strayFiles(join(folder, "package"), await trackedFiles(checkout));
    for (const stray of strays) await rm(join(folder, "package", stray));
    const path = join(folder, "package", "package.json");
    const manifest = JSON.parse(await readFile(path, "utf8"));
    const man = await manualPagesIn(join(folder, "package"));
    await writeFile(path, `${JSON.stringify({ ...publishedManifest(manifest), man }, null, 2)}\n`);
    const name = await pack("./package");
    await copyFile(join(folder, name), join(into, name));
    return name;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Returns the manual pages of the package. The checkout's manifest lists only those without a command. */
async function manualPagesIn(folder: string): Promise<readonly string[]> {
  const pages = await Array.fromAsync(glob("dist/man/*/*", { cwd: folder }));
  return pages.toSorted();
}

/**
 * Returns the checkout's manifest without all that names another package or runs a script. The command
 * starts the program with the Node of the machine, because a package brings none.
 */
function publishedManifest(manifest: Readonly<Record<string, unknown>>): object {
  const { dependencies, devDependencies, scripts, allowScripts, ...rest } = manifest;
  return { ...rest, bin: { supplyline: "dist/cli.js" } };
}
