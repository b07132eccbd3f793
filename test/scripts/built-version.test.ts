import { execFileSync } from "node:child_process";
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { builtVersion } from "../../scripts/built-version.ts";

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "supplyline-version-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

test("a build names the commit of its checkout, and files that differ from it", () => {
  const checkout = folder();
  const git = (...words: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...words], {
      cwd: checkout,
      encoding: "utf8",
    }).trim();
  writeFileSync(join(checkout, "file"), "one");
  git("init", "--quiet");
  git("add", ".");
  git("commit", "--quiet", "--message", "First");
  const commit = git("rev-parse", "HEAD").slice(0, 10);
  writeFileSync(join(checkout, "untracked"), "");
  expect(builtVersion("1.2.3", checkout)).toBe(`1.2.3 (${commit})`);
  appendFileSync(join(checkout, "file"), "two");
  expect(builtVersion("1.2.3", checkout)).toBe(`1.2.3 (${commit}, changed)`);
});

test("a build outside of git has the version alone", () => {
  expect(builtVersion("1.2.3", folder())).toBe("1.2.3");
});
