import { spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";

const page = await readFile("docs/supplyline.1", "utf8");

test("values stand in the manual page as they are typed, with every default", () => {
  const plain = page.replaceAll("\\-", "-");
  expect(plain).toMatch(/^bash, zsh, fish$/m);
  expect(plain).toMatch(/^notes, transactions, statements/m);
  expect(plain).toContain("Which accounts: all, pending, imported (default: all).");
  expect(plain).toContain("(default: COMPLETED).");
  expect(plain).toContain("(default: 5s).");
  expect(plain).toContain("(default: table).");
});

test("the manual page has examples, related pages, every variable and exit codes by command", () => {
  const plain = page.replaceAll("\\-", "-");
  expect(plain).toMatch(/^\.SH EXAMPLES$/m);
  expect(plain).toMatch(/^\.SH SEE ALSO$/m);
  for (const name of ["PAGER", "COLORFGBG", "INK_SCREEN_READER", "NO_COLOR", "HTTPS_PROXY"])
    expect(plain).toMatch(new RegExp(`^\\.B .*\\b${name}\\b`, "m"));
  const watch = plain.slice(plain.indexOf('.SS "accounts watch'));
  expect(watch).toContain(".B Exit status\n0, 2, 3, 5, 6, 8, 9, 130.");
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
