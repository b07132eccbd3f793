/**
 * Runs the tests that start the program against what is in release/. `npm run verify` takes every
 * artifact, `-- archive` one, and paths of tests after it only these. Prints the name of each test that
 * was skipped or failed, and ends with 1 when one failed; the archive is skipped with a notice where it
 * cannot be made.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type Artifact, type ArtifactName, artifactNames, layOut } from "./package/artifacts.ts";
import { failuresOf, type Report, skippedOf, suitesThatStartTheProgram } from "./package/suites.ts";

const { version } = JSON.parse(readFileSync("package.json", "utf8"));
const [asked, ...files] = process.argv.slice(2);
const names = asked === undefined ? artifactNames : artifactNames.filter((name) => name === asked);
if (names.length === 0) {
  console.error(`No artifact is named ${asked}: ${artifactNames.join(", ")}.`);
  process.exit(2);
}

const failures: string[] = [];
for (const name of names) failures.push(...verify(name));
if (failures.length > 0)
  console.error(`\nFAILED:\n${failures.map((one) => `  ${one}`).join("\n")}`);
process.exitCode = failures.length === 0 ? 0 : 1;

/** Lays an artifact out, runs its tests, and returns those that failed. */
function verify(name: ArtifactName): readonly string[] {
  if (process.platform !== "linux" && name === "archive") {
    console.warn(`SKIPPED ${name}: it is made on Linux only.`);
    return [];
  }
  const folder = mkdtempSync(join(tmpdir(), "supplyline-verify-"));
  try {
    const suites = files.length > 0 ? files : suitesThatStartTheProgram();
    return runTests(name, layOut(name, version, folder), suites);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function runTests(
  name: ArtifactName,
  { program, isAlone }: Artifact,
  suites: readonly string[],
): readonly string[] {
  const from = performance.now();
  console.log(`\n${name}: ${suites.length} test files`);
  const written = join(mkdtempSync(join(tmpdir(), "supplyline-report-")), "report.json");
  const report = ["--reporter=default", "--reporter=json", `--outputFile.json=${written}`];
  const words = [resolve("node_modules/vitest/vitest.mjs"), "run", ...report, ...suites];
  const env: NodeJS.ProcessEnv = { ...process.env };
  if (program !== null) env.SUPPLYLINE_EXECUTABLE = program;
  if (isAlone) env.PATH = "/nonexistent";
  const { status } = spawnSync(process.execPath, words, { env, stdio: "inherit" });
  const read = existsSync(written) ? (JSON.parse(readFileSync(written, "utf8")) as Report) : null;
  rmSync(join(written, ".."), { recursive: true, force: true });
  if (read === null) return [`${name}: the tests ended with ${status} and without a report`];
  const failed = failuresOf(read, process.cwd());
  const skipped = skippedOf(read, process.cwd());
  for (const test of skipped) console.log(`SKIPPED ${name}: ${test}`);
  const seconds = Math.round((performance.now() - from) / 1000);
  console.log(
    `${name}: ${read.numPassedTests} passed, ${skipped.length} skipped, ${failed.length} failed, in ${seconds} s`,
  );
  if (status !== 0 && failed.length === 0) return [`${name}: the tests ended with ${status}`];
  return failed.map((one) => `${name}: ${one}`);
}
