import { spawnSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type Bill, billWithNode, licensesOf } from "../../scripts/package/licenses.ts";
import { changesOf } from "../../scripts/package/release-notes.ts";
import { examplePath } from "../../src/program-files.ts";

const { version } = JSON.parse(readFileSync("package.json", "utf8"));
/** With the commit of the build, if it was made in a checkout. */
const shownVersion = expect.stringMatching(
  new RegExp(`^${RegExp.escape(version)}(?: \\([0-9a-f]{10}(?:, changed)?\\))?\n$`),
);
const bill: Bill = JSON.parse(readFileSync("dist/sbom.cdx.json", "utf8"));

test("every file that a file of the build names is in the build", () => {
  const names = readdirSync("dist", { recursive: true, encoding: "utf8" });
  for (const name of ["cli", "sandbox-worker"]) expect(names).toContain(`${name}.js`);
  const named = names
    .filter((name) => name.endsWith(".js"))
    .flatMap(
      (name) =>
        readFileSync(`dist/${name}`, "utf8").match(
          /(?<="\.\/(?:chunks\/)?)[\w-]+-[A-Z0-9]{8}\.js(?=")/g,
        ) ?? [],
    );
  const chunks = names.filter((name) => name.startsWith("chunks/"));
  expect(named.length).toBeGreaterThan(chunks.length);
  expect(named.filter((name) => !chunks.includes(`chunks/${name}`))).toEqual([]);
});

describe("the program of the archive", () => {
  /** A folder as the archive has it, with the Node of the test in the place of its own. */
  function unpacked(): string {
    const folder = mkdtempSync(join(tmpdir(), "supplyline-archive-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    mkdirSync(join(folder, "one/lib"), { recursive: true });
    symlinkSync(resolve("dist"), join(folder, "one/dist"));
    symlinkSync(process.execPath, join(folder, "one/lib/supplyline"));
    copyFileSync("scripts/package/supplyline.sh", join(folder, "one/supplyline"));
    chmodSync(join(folder, "one/supplyline"), 0o755);
    return folder;
  }

  test.each([
    ["its path", (folder: string) => join(folder, "one/supplyline"), "."],
    ["a path from its own folder", () => "./supplyline", "one"],
    ["a link to it", (folder: string) => join(folder, "link"), "."],
    ["a link to a link, from elsewhere", (folder: string) => join(folder, "bin/other"), "bin"],
    ["a path with blanks", (folder: string) => join(folder, "with a blank/supplyline"), "."],
  ])("starts by %s, without PATH and with options for another Node", (_by, program, from) => {
    const folder = unpacked();
    mkdirSync(join(folder, "bin"));
    symlinkSync("one/supplyline", join(folder, "link"));
    symlinkSync("../link", join(folder, "bin/other"));
    symlinkSync("one", join(folder, "with a blank"));
    const { status, stdout, stderr } = spawnSync(program(folder), ["--version"], {
      cwd: join(folder, from),
      encoding: "utf8",
      env: { HOME: folder, NODE_OPTIONS: "--no-such-option" },
    });
    expect({ status, stdout, stderr }).toMatchObject({
      status: 0,
      stdout: shownVersion,
      stderr: "",
    });
  });

  test("starts where the shell finds it in PATH", () => {
    const folder = unpacked();
    const { status, stdout } = spawnSync("/bin/sh", ["-c", "supplyline --version"], {
      encoding: "utf8",
      env: { HOME: folder, PATH: join(folder, "one") },
    });
    expect({ status, stdout }).toMatchObject({ status: 0, stdout: shownVersion });
  });
});

test("the bill of the archive adds its Node to the packages of the bundle", () => {
  const { components } = billWithNode(bill, { version: "24.21.0", sha256: "ab".repeat(32) });
  expect(components.slice(0, -1)).toEqual(bill.components);
  expect(components.at(-1)).toMatchObject({
    name: "node",
    version: "24.21.0",
    hashes: [{ alg: "SHA-256", content: "ab".repeat(32) }],
  });
});

test("the licenses name every package of the bundle with its text", async () => {
  const text = await licensesOf(bill, process.cwd());
  const parts = text.split(`\n${"-".repeat(72)}\n\n`);
  expect(parts).toHaveLength(bill.components.length);
  expect(parts.filter((part) => part.trim().split("\n").length < 3)).toEqual([]);
  expect(text).toMatch(/^ink 8\.0\.0\n\nMIT License/m);
});

test("an example that the program brings is a file", () => {
  const path = examplePath("migration-day.csv") ?? "";
  expect(readFileSync(path, "utf8")).toMatch(/^external_account_number/);
  expect(examplePath("no-such-list.csv")).toBeNull();
});

test("the changes of a release are the section of its version, or the unreleased ones", () => {
  const changelog = "# Changelog\n\n## [Unreleased]\n\n- new\n\n## [1.0.0] - 2026-01-01\n\n- old\n";
  expect(changesOf(changelog, "1.0.0")).toBe("- old\n");
  expect(changesOf(changelog, "1.1.0")).toBe("- new\n");
  expect(() => changesOf("# Changelog\n", "1.1.0")).toThrow("no section [1.1.0]");
});
