import { spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { manualPage } from "../../scripts/man/page.ts";

const page = await readFile("docs/supplyline.1", "utf8");
const { version } = JSON.parse(await readFile("package.json", "utf8"));

test("the manual page is the one of the commands the program has (npm run man makes it)", () => {
  expect(page).toBe(manualPage(version));
});

const hasMan = spawnSync("man", ["--version"]).status === 0;

test.skipIf(!hasMan)("man shows it without complaint, at the width of a small terminal", () => {
  const shown = spawnSync("man", ["-l", "--warnings=w", "-Tutf8", "docs/supplyline.1"], {
    encoding: "utf8",
    env: { ...process.env, MANWIDTH: "60", LC_ALL: "C.UTF-8" },
  });
  expect({ status: shown.status, stderr: shown.stderr }).toEqual({ status: 0, stderr: "" });
  // Printed bold, a letter stands twice with a backspace between.
  const plain = shown.stdout.replaceAll(/.\x08/g, "");
  // Words and options are as typed: a dash is a dash, to be searched and pasted.
  expect(plain).toMatch(/notes create <supplier> <account>/);
  expect(plain).toMatch(/--read-only/);
  expect(plain).toMatch(/EXIT STATUS/);
});
