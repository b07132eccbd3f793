/** Promise: a package has the files that git tracks and the build, and nothing that a user left there. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { packForNpm } from "../../scripts/package/npm-package.ts";
import { archivedTexts } from "../../scripts/package/tracked.ts";

const tracked = {
  "package.json": JSON.stringify({
    name: "packed",
    version: "1.0.0",
    files: ["dist", "docs/*.md", "docs/how-to", "examples"],
  }),
  LICENSE: "MIT",
  "README.md": "# Packed",
  "docs/install.md": "# Install",
  "docs/how-to/bulk.md": "# Bulk runs",
  "docs/development/testing.md": "# Testing",
  "examples/outage.csv": "import_supplier,external_account_number",
};
const strays = {
  "docs/draft.md": "EXT-4711",
  "docs/how-to/notes.md": "EXT-4711",
  "examples/pending.csv": "EXT-4711",
  "examples/mine/outage.results.csv": "EXT-4711",
};

/** A small checkout that is built, with files that git does not track. */
function checkout(): string {
  const folder = mkdtempSync(join(tmpdir(), "supplyline-checkout-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const write = (files: Readonly<Record<string, string>>) => {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
  };
  write(tracked);
  const git = (...words: string[]) => execFileSync("git", words, { cwd: folder, stdio: "pipe" });
  git("init", "--quiet");
  git("add", ".");
  write({ ...strays, "dist/cli.js": "" });
  return folder;
}

test("the npm package leaves out files that git does not track", async () => {
  const folder = checkout();
  const name = await packForNpm(folder, folder);
  const listed = execFileSync("tar", ["tzf", join(folder, name)], { encoding: "utf8" });
  const files = listed
    .trim()
    .split("\n")
    .map((path) => path.replace("package/", ""));
  const wanted = Object.keys(tracked).filter((path) => !path.startsWith("docs/development/"));
  expect(files.toSorted()).toEqual([...wanted, "dist/cli.js"].toSorted());
});

test("the archive takes its examples and pages from what git tracks", async () => {
  expect((await archivedTexts(checkout())).toSorted()).toEqual([
    "README.md",
    "docs/how-to/bulk.md",
    "docs/install.md",
    "examples/outage.csv",
  ]);
});

test("a folder that is no checkout is not packed", async () => {
  const folder = mkdtempSync(join(tmpdir(), "supplyline-no-checkout-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  await expect(archivedTexts(folder)).rejects.toThrow("git does not list them");
});
