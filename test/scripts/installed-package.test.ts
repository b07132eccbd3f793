import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";

/** Installs the packed program into a folder, without its dependencies: no registry is asked. */
function installed(): string {
  const folder = mkdtempSync(join(tmpdir(), "supplyline-installed-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const run = (program: string, ...words: string[]) =>
    execFileSync(program, words, { cwd: folder, encoding: "utf8", stdio: "pipe" });
  run("npm", "pack", "--silent", "--ignore-scripts", process.cwd());
  const { version } = JSON.parse(readFileSync("package.json", "utf8"));
  run("tar", "xzf", `supplyline-${version}.tgz`);
  const path = join(folder, "package", "package.json");
  const { dependencies, devDependencies, scripts, ...manifest } = JSON.parse(
    readFileSync(path, "utf8"),
  );
  writeFileSync(path, JSON.stringify(manifest));
  run("tar", "czf", "bare.tgz", "package");
  const quietly = ["--offline", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"];
  run("npm", "install", "--global", "--prefix", folder, ...quietly, "./bare.tgz");
  return folder;
}

test("npm install --global links the program and its manual page", () => {
  const folder = installed();
  expect(existsSync(join(folder, "bin", "supplyline"))).toBe(true);
  const page = readFileSync(join(folder, "share", "man", "man1", "supplyline.1"), "utf8");
  expect(page).toBe(readFileSync("docs/supplyline.1", "utf8"));
});
