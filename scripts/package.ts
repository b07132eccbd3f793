/**
 * Writes release/: the package for npm, the archive with a Node of its own for this kind of machine, and
 * their checksums; `npm` as an argument writes the package alone. It asks no network. The same commit and
 * the same Node give the same bytes.
 */
import { execFile } from "node:child_process";
import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { packForNpm } from "./package/npm-package.ts";
import { sha256Of, stageArchive } from "./package/staging.ts";

const run = promisify(execFile);
/** Bytes that a slow link has to carry at most. */
const longestArchive = 30e6;

const { version, devDependencies } = JSON.parse(await readFile("package.json", "utf8"));
const [only] = process.argv.slice(2);
if (only !== undefined && only !== "npm") {
  console.error(`No artifact is named ${only}: npm, or nothing for all.`);
  process.exit(2);
}
const release = resolve("release");
await mkdir(release, { recursive: true });
// The umask of the user who builds must not show in a package.
process.umask(0o022);
console.log("Packing for npm …");
const written = [await packForNpm(resolve("."), release)];
if (only !== "npm") written.push(...(await packArchive()));
const sums = await Promise.all(
  written.map(async (file) => `${await sha256Of(join(release, file))}  ${file}\n`),
);
await writeFile(join(release, `SHA256SUMS-${process.platform}-${process.arch}`), sums.join(""));
console.log(sums.join("").trimEnd());

/** Writes the archive and returns its name; none where it cannot be made. */
async function packArchive(): Promise<readonly string[]> {
  const { platform, arch, versions } = process;
  if (platform !== "linux" || !["x64", "arm64"].includes(arch)) {
    console.error(`No archive: it is made on Linux, on x64 and arm64 (here: ${platform} ${arch}).`);
    return [];
  }
  if (versions.node !== devDependencies.node)
    throw new Error(`The archive carries Node ${devDependencies.node}: use npm run package.`);
  const name = `supplyline-${version}-linux-${arch}`;
  console.log(`Packing ${name}.tar.xz, which takes some minutes …`);
  const staging = await mkdtemp(join(tmpdir(), "supplyline-package-"));
  try {
    await chmod(staging, 0o755);
    await stageArchive(join(staging, name));
    const same = ["--sort=name", "--owner=0", "--group=0", "--numeric-owner"];
    const when = `--mtime=@${await sourceDate()}`;
    // Blocks of a fixed size: the bytes do not depend on how many threads a machine has.
    const xz = "--use-compress-program=xz -6 -T2 --block-size=40MiB";
    const packed = [xz, "-cf", join(release, `${name}.tar.xz`)];
    await run("tar", [...same, when, ...packed, "-C", staging, name]);
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
  const { size } = await stat(join(release, `${name}.tar.xz`));
  if (size > longestArchive)
    throw new Error(`The archive has ${size} bytes; ${longestArchive} is the most.`);
  return [`${name}.tar.xz`];
}

/** Returns the seconds since 1970 of the commit, or as given: the time of every file in the archive. */
async function sourceDate(): Promise<string> {
  if (process.env.SOURCE_DATE_EPOCH) return process.env.SOURCE_DATE_EPOCH;
  const asked = run("git", ["log", "-1", "--format=%ct"]);
  return asked.then(
    ({ stdout }) => stdout.trim(),
    () => "0",
  );
}
