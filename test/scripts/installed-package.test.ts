import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { targetsOf } from "../docs/pages.ts";

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

/** Where a link of a page leads, from the package's folder on; null for another site or the page itself. */
function fileOf(page: string, target: string): string | null {
  const [file = ""] = target.split("#", 1);
  return file === "" || /^(https?|mailto):/.test(file) ? null : join(dirname(page), file);
}

test("npm install --global links the program and its manual page, and ships whole documents", () => {
  const folder = installed();
  expect(existsSync(join(folder, "bin", "supplyline"))).toBe(true);
  const page = readFileSync(join(folder, "share", "man", "man1", "supplyline.1"), "utf8");
  expect(page).toBe(readFileSync("docs/supplyline.1", "utf8"));
  const files = readdirSync(join(folder, "package"), { recursive: true, encoding: "utf8" });
  expect(files).toEqual(expect.arrayContaining(["LICENSE", "examples/outage.csv"]));
  const broken = files
    .filter((file) => file.endsWith(".md"))
    .flatMap((page) => targetsOf(page).map((target) => ({ page, to: fileOf(page, target) })))
    .filter(({ to }) => to !== null && !files.includes(to));
  expect(broken).toEqual([]);
});
