/**
 * Makes a release in release/: builds every artifact, runs the tests that start the program against each
 * of them, and writes the checksums and the changes of this version. With a tag as its argument, the tag
 * must be the version's. It ends with 1 when a test fails; what the machine does not permit is skipped,
 * with a notice.
 */
import { spawnSync } from "node:child_process";
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { makeCleanRoot, refusalOf } from "./package/clean-root.ts";
import { changesOf } from "./package/release-notes.ts";

/** An artifact as the tests see it. */
interface Artifact {
  readonly name: string;
  /** What is started in the place of the build; null for the build. */
  readonly program: string | null;
  /** Words before the command that runs the tests. */
  readonly within: readonly string[];
  /** Whether the program finds other programs by their names. */
  readonly path: string | undefined;
}

const { version } = JSON.parse(readFileSync("package.json", "utf8"));
const [tag] = process.argv.slice(2);
if (tag !== undefined && tag !== `v${version}`) {
  console.error(`The tag ${tag} is not that of version ${version}: v${version}.`);
  process.exit(2);
}

const folder = mkdtempSync(join(tmpdir(), "supplyline-release-"));
let failed = 0;
try {
  run("npm", ["run", "--silent", "package"]);
  for (const artifact of artifacts()) {
    const { name, program, within, path } = artifact;
    const suites = suitesThatStartTheProgram(program === null);
    console.log(`\n${name}: ${suites.length} test files`);
    const vitest = [process.execPath, resolve("node_modules/vitest/vitest.mjs"), "run", ...suites];
    const [command = "", ...words] = [...within, ...vitest];
    const env: NodeJS.ProcessEnv = {
      ...process.env,
      ...(path === undefined ? {} : { PATH: path }),
    };
    if (program !== null) env.SUPPLYLINE_EXECUTABLE = program;
    if (within.length > 0) env.SUPPLYLINE_ALONE = "1";
    const { status } = spawnSync(command, words, { env, stdio: "inherit" });
    if (status !== 0) {
      failed += 1;
      console.error(`${name}: FAILED`);
    }
  }
  writeFileSync("release/CHANGES.md", changesOf(readFileSync("CHANGELOG.md", "utf8"), version));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(failed === 0 ? `\nrelease/ has version ${version}.` : `\n${failed} artifacts failed.`);
process.exitCode = failed === 0 ? 0 : 1;

/**
 * The stories and command tests that start processes; the others do not depend on the artifact. Those
 * that look into dist/ itself run with the build only.
 */
function suitesThatStartTheProgram(isBuild: boolean): readonly string[] {
  const starts = /\/(?:process|terminal|built-program|pasted|hung-up|under-umask)\.ts"/;
  return globSync("test/{commands,flows}/**/*.test.{ts,tsx}")
    .filter((path) => {
      const text = readFileSync(path, "utf8");
      return starts.test(text) && (isBuild || !text.includes('"../../dist'));
    })
    .sort();
}

/** Lays out what was packed as a user has it. */
function artifacts(): readonly Artifact[] {
  const found: Artifact[] = [{ name: "dist", program: null, within: [], path: undefined }];
  const installed = join(folder, "npm");
  const quiet = ["--offline", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"];
  const tarball = resolve(`release/supplyline-${version}.tgz`);
  run("npm", ["install", "--global", "--prefix", installed, ...quiet, tarball]);
  const fromNpm = join(installed, "bin/supplyline");
  found.push({ name: "npm package", program: fromNpm, within: [], path: undefined });

  const [archive] = globSync(`release/supplyline-${version}-linux-*.tar.xz`);
  const [debian] = globSync(`release/supplyline_${version}_*.deb`);
  if (archive === undefined || debian === undefined) {
    console.warn("SKIPPED the single file: it is made on Linux only.");
    return found;
  }
  run("tar", ["xJf", archive, "-C", folder, "--strip-components=1", "--wildcards", "*/supplyline"]);
  const nowhere = "/nonexistent";
  const single = join(folder, "supplyline");
  found.push({ name: "single file", program: single, within: [], path: nowhere });

  const root = join(folder, "root");
  mkdirSync(root);
  run("dpkg-deb", ["-x", debian, root]);
  const clean = makeCleanRoot(root);
  const refusal = refusalOf(clean);
  if (refusal === null) {
    const { program, mounted: within } = clean;
    found.push({ name: "Debian package in a clean root", program, within, path: nowhere });
  } else console.warn(`SKIPPED the Debian package in a clean root: ${refusal}`);
  return found;
}

function run(program: string, words: readonly string[]): void {
  const { status, error } = spawnSync(program, words, { stdio: "inherit" });
  if (status !== 0) throw error ?? new Error(`${program} ended with ${status}`);
}
