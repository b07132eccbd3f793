import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { assetsOf } from "../../scripts/package/assets.ts";
import { type Bill, billWithNode, licensesOf } from "../../scripts/package/licenses.ts";
import { changesOf } from "../../scripts/package/release-notes.ts";
import { embeddedFile, examplePath } from "../../src/program-files.ts";
import { runCli } from "../helpers/process.ts";

const bill: Bill = JSON.parse(readFileSync("dist/sbom.cdx.json", "utf8"));

test("the executable carries every chunk, both threads and the list of the sandbox", async () => {
  const assets = Object.keys(await assetsOf(process.cwd()));
  for (const name of ["cli", "sandbox-worker", "observations-worker"])
    expect(assets).toContain(`dist/${name}.js`);
  expect(assets).toContain("examples/migration-day.csv");
  const chunks = assets.filter((name) => name.startsWith("dist/chunks/"));
  // Each file that another one names is there as well.
  const named = assets
    .filter((name) => name.endsWith(".js"))
    .flatMap(
      (name) =>
        readFileSync(name, "utf8").match(/(?<="\.\/(?:chunks\/)?)[\w-]+-[A-Z0-9]{8}\.js(?=")/g) ??
        [],
    );
  expect(named.length).toBeGreaterThan(chunks.length);
  expect(named.filter((name) => !chunks.includes(`dist/chunks/${name}`))).toEqual([]);
  expect(assets).toEqual(assets.toSorted());
});

test("the bill of the executable adds its Node to the packages of the bundle", () => {
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

test("outside the executable the program's files are files", async () => {
  const path = examplePath("migration-day.csv") ?? "";
  expect(readFileSync(path, "utf8")).toMatch(/^external_account_number/);
  expect(embeddedFile(path)).toBeNull();
  expect(examplePath("no-such-list.csv")).toBeNull();
  const { version } = JSON.parse(readFileSync("package.json", "utf8"));
  expect(await runCli(["--version"])).toMatchObject({ code: 0, stdout: `${version}\n` });
});

test("the changes of a release are the section of its version, or the unreleased ones", () => {
  const changelog = "# Changelog\n\n## [Unreleased]\n\n- new\n\n## [1.0.0] - 2026-01-01\n\n- old\n";
  expect(changesOf(changelog, "1.0.0")).toBe("- old\n");
  expect(changesOf(changelog, "1.1.0")).toBe("- new\n");
  expect(() => changesOf("# Changelog\n", "1.1.0")).toThrow("no section [1.1.0]");
});
