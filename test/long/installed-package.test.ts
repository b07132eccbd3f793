import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { packForNpm } from "../../scripts/package/npm-package.ts";
import { targetsOf } from "../docs/pages.ts";
import { openFolders } from "../helpers/folders.ts";
import { runProgram } from "../helpers/process.ts";

/** Installs the published package into a folder. No registry is asked: it needs no other package. */
async function installed(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "supplyline-installed-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const run = (program: string, ...words: string[]) =>
    execFileSync(program, words, { cwd: folder, encoding: "utf8", stdio: "pipe" });
  const name = await packForNpm(process.cwd(), folder);
  run("tar", "xzf", name);
  const quietly = ["--offline", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"];
  run("npm", "install", "--global", "--prefix", folder, ...quietly, `./${name}`);
  return folder;
}

/** Returns the target of a link below the package's folder, or null for another site or the page itself. */
function fileOf(page: string, target: string): string | null {
  const [file = ""] = target.split("#", 1);
  return file === "" || /^(https?|mailto):/.test(file) ? null : join(dirname(page), file);
}

/** Pages of the checkout, which the package leaves out and other pages link to. */
const forDevelopers = /^(?:CONTRIBUTING\.md|docs\/development\b)/;

test("npm install --global links the program and its manual pages, and ships the pages of users", async () => {
  const folder = await installed();
  expect(existsSync(join(folder, "bin", "supplyline"))).toBe(true);
  const manifest = JSON.parse(readFileSync(join(folder, "package", "package.json"), "utf8"));
  expect(Object.keys(manifest)).not.toEqual(expect.arrayContaining(["dependencies"]));
  expect(readdirSync(join(folder, "lib", "node_modules"))).toEqual(["supplyline"]);
  // It saves settings, for which conf is loaded: no package is beside it.
  const folders = await openFolders();
  const add = ["profiles", "add", "p", "--base-url", "http://127.0.0.1:9"];
  const program = [process.execPath, join(folder, "bin", "supplyline")];
  expect(await runProgram(program, add, { folders })).toMatchObject({ code: 0 });
  for (const page of ["man1/supplyline.1", "man1/supplyline-bulk-run.1", "man7/supplyline-keys.7"])
    expect(readFileSync(join(folder, "share/man", page), "utf8")).toBe(
      readFileSync(join("dist/man", page), "utf8"),
    );
  const files = readdirSync(join(folder, "package"), { recursive: true, encoding: "utf8" });
  expect(files).toEqual(
    expect.arrayContaining(["LICENSE", "examples/outage.csv", "docs/tutorial.md"]),
  );
  expect(files.filter((file) => forDevelopers.test(file))).toEqual([]);
  const broken = files
    .filter((file) => file.endsWith(".md"))
    .flatMap((page) => targetsOf(page).map((target) => ({ page, to: fileOf(page, target) })))
    .filter(({ to }) => to !== null && !files.includes(to) && !forDevelopers.test(to));
  expect(broken).toEqual([]);
});
