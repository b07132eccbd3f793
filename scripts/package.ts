/**
 * Writes release/: the package for npm, the single executable packed as an archive for this kind of
 * machine, and their checksums. It asks no network. The same commit and the same Node give the same
 * bytes.
 */
import { execFile } from "node:child_process";
import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { assetsOf } from "./package/assets.ts";
import { writeExecutable } from "./package/executable.ts";
import { packForNpm } from "./package/npm-package.ts";
import { contentsOf, sha256Of, stageArchive } from "./package/staging.ts";
import { checkSymbolVersions } from "./package/symbol-versions.ts";

const run = promisify(execFile);
/** What a slow link has to carry at most. */
const longestArchive = 30e6;

const { version, devDependencies } = JSON.parse(await readFile("package.json", "utf8"));
const release = resolve("release");
await mkdir(release, { recursive: true });
// As the umask of whoever builds must not show in a package.
process.umask(0o022);
const written = [await packForNpm(resolve("."), release)];

if (process.platform !== "linux" || !["x64", "arm64"].includes(process.arch)) {
  console.error(
    `No single file: it is made on Linux, on x64 and arm64 (here: ${process.platform}).`,
  );
} else if (process.versions.node !== devDependencies.node) {
  throw new Error(`The single file carries Node ${devDependencies.node}: use npm run package.`);
} else {
  written.push(await packSingleFile());
}
const sums = await Promise.all(
  written.map(async (file) => `${await sha256Of(join(release, file))}  ${file}\n`),
);
await writeFile(join(release, `SHA256SUMS-${process.platform}-${process.arch}`), sums.join(""));
console.log(sums.join("").trimEnd());

/** Writes the executable and its archive; returns the name of the archive. */
async function packSingleFile(): Promise<string> {
  const executable = join(release, "supplyline");
  await writeExecutable(executable, "dist/cli.js", await assetsOf("."));
  checkSymbolVersions(executable);
  const name = `supplyline-${version}-linux-${process.arch}`;
  const staging = await mkdtemp(join(tmpdir(), "supplyline-package-"));
  try {
    await chmod(staging, 0o755);
    await stageArchive(join(staging, name), await contentsOf(executable));
    const sum = `${await sha256Of(executable)}  supplyline\n`;
    await writeFile(join(staging, name, "SHA256SUMS"), sum);
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
  return `${name}.tar.xz`;
}

/** Seconds since 1970 of the commit, or as given: the time of every file in the archive. */
async function sourceDate(): Promise<string> {
  if (process.env.SOURCE_DATE_EPOCH) return process.env.SOURCE_DATE_EPOCH;
  const asked = run("git", ["log", "-1", "--format=%ct"]);
  return asked.then(
    ({ stdout }) => stdout.trim(),
    () => "0",
  );
}
