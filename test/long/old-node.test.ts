import { spawnSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";

const manifest = JSON.parse(readFileSync("package.json", "utf8"));

/** A folder with programs of these names, each a shell script. */
function programs(scripts: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), "supplyline-programs-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(scripts)) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${text}\n`);
    chmodSync(join(folder, name), 0o755);
  }
  return folder;
}

/** An older Node on this machine, if there is one. */
const oldNode = (process.env.PATH ?? "")
  .split(delimiter)
  .concat("/usr/bin")
  .map((folder) => join(folder, "node"))
  .find((path) => {
    const { stdout } = spawnSync(path, ["--version"], { encoding: "utf8" });
    return /^v(1\d|2[0-2])\./.test(stdout ?? "");
  });
if (oldNode === undefined)
  console.warn("No older Node is on this machine: the test with one is skipped.");

test.skipIf(oldNode === undefined)("an older Node prints in one line what is missing", () => {
  const { status, stdout, stderr } = spawnSync(oldNode ?? "", ["scripts/check-node.mjs"], {
    encoding: "utf8",
  });
  expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
  expect(stderr).toMatch(
    /^Building supplyline needs Node 24\.15 or later, and this is Node 2?\d\.\S+: run `npm ci` without --ignore-scripts.*\n$/,
  );
});

test("a checkout without its packages names the command that brings them", () => {
  const folder = programs({});
  mkdirSync(join(folder, "scripts"));
  copyFileSync("scripts/check-node.mjs", join(folder, "scripts/check-node.mjs"));
  copyFileSync("package.json", join(folder, "package.json"));
  const checked = spawnSync(process.execPath, [join(folder, "scripts/check-node.mjs")], {
    encoding: "utf8",
  });
  expect(checked).toMatchObject({
    status: 1,
    stdout: "",
    stderr: "Building supplyline needs its packages: run `npm ci` first.\n",
  });
});

test.skipIf(oldNode === undefined)("an older Node names the archive as the way out", () => {
  const { status, stdout, stderr } = spawnSync(oldNode ?? "", ["dist/cli.js", "accounts", "list"], {
    encoding: "utf8",
  });
  expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
  expect(stderr).toMatch(
    /^supplyline needs Node 24\.15\.0 or newer\. This is Node .* npm ci installs its own Node\..* archive supplyline-VERSION-linux-x64\.tar\.xz .*\n$/,
  );
});

test("this Node passes, and every script that a newcomer runs asks first", () => {
  const checked = spawnSync(process.execPath, ["scripts/check-node.mjs"], { encoding: "utf8" });
  expect(checked).toMatchObject({ status: 0, stdout: "", stderr: "" });
  for (const name of ["build", "audit", "verify", "release"])
    expect(manifest.scripts[name]).toMatch(/^node scripts\/check-node\.mjs && /);
  expect(manifest.scripts.start).toMatch(/^npm run --silent build && /);
});

test.each([
  ["echo 'npm error found 3 vulnerabilities' >&2; exit 1", /FAILED\nnpm error found 3/],
  ["exit 7", /FAILED\nnpm ended with status 7 and no message\./],
  ["echo 'npm error audit endpoint returned an error' >&2; exit 1", /SKIPPED/],
])("the audit prints why npm failed: %s", (npm, words) => {
  const { stdout } = spawnSync(process.execPath, ["scripts/audit.ts"], {
    encoding: "utf8",
    env: { PATH: `${programs({ npm })}${delimiter}/usr/bin${delimiter}/bin` },
  });
  expect(stdout).toMatch(words);
});

test("the command of a checkout starts with the checkout's Node, not that of the machine", () => {
  const path = programs({ node: 'echo "the Node of the machine" >&2; exit 9' });
  const folder = programs({});
  symlinkSync(resolve("scripts/supplyline.sh"), join(folder, "supplyline"));
  const { status, stdout, stderr } = spawnSync(join(folder, "supplyline"), ["--version"], {
    encoding: "utf8",
    env: { HOME: folder, PATH: [path, "/usr/bin", "/bin"].join(delimiter) },
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(stdout).toMatch(/^\d+\.\d+\.\d+/);
});
