import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runCommand } from "../helpers/command.ts";
import { type Console, openConsole } from "../helpers/console.ts";
import { openFolders } from "../helpers/folders.ts";
import { openSandbox } from "../helpers/service.ts";

/** A sandbox whose imports move when the test says so. */
async function movedByHand() {
  let now = Date.parse("2026-11-20T12:00:00Z");
  const sandbox = await openSandbox({ speed: 1, now: () => now });
  return {
    env: sandbox.env,
    move: (seconds: number) => {
      now += seconds * 1_000;
    },
    [Symbol.asyncDispose]: () => sandbox.close(),
  };
}

const words = ["accounts", "watch", "ACME", "EXT-0000001", "EXT-0000002", "EXT-0000003"];
const quick = ["--interval", "200ms"];
const lineOf = (terminal: Console, account: string) =>
  terminal.screen().filter((line) => line.startsWith(account));

test.each([
  [200, 50],
  [80, 24],
  [60, 15],
])("several accounts are a table that is drawn in place, on %i×%i", async (cols, rows) => {
  await using world = await movedByHand();
  await using terminal = await openConsole([...words, ...quick], { env: world.env, cols, rows });
  await terminal.waitFor(/1 of 3 COMPLETED {2}2 open {2}every /);
  expect(terminal.altScreen()).toBe(false);
  expect(terminal.text()).toMatch(/EXT-0000001 +✓ COMPLETED +before \d\d:\d\d:\d\d/);
  world.move(6);
  await terminal.waitFor(/EXT-0000002 +● IN_PROGRESS +\d\d:\d\d:\d\d/);
  await terminal.waitFor(/EXT-0000003 +● IN_PROGRESS/);
  for (const account of words.slice(3)) expect(lineOf(terminal, account)).toHaveLength(1);
  world.move(10);
  const { code } = await terminal.exit;
  expect(code).toBe(9);
  expect(terminal.text()).toMatch(/EXT-0000002 +✓ COMPLETED/);
  expect(terminal.text()).toMatch(/EXT-0000003 +✗ UNKNOWN/);
  expect(lineOf(terminal, "EXT-0000002")).toHaveLength(1);
  expect(terminal.text()).toContain("EXT-0000003 ended as UNKNOWN, not as COMPLETED");
});

test("a resize, narrower and wider, leaves one table and no torn lines", async () => {
  await using world = await movedByHand();
  await using terminal = await openConsole([...words, ...quick], {
    env: world.env,
    cols: 120,
    rows: 30,
  });
  await terminal.waitFor("2 open");
  for (const [cols, rows] of [
    [50, 10],
    [30, 8],
    [100, 24],
  ] as const) {
    terminal.resize(cols, rows);
    await terminal.waitFor(
      () =>
        words.slice(3).every((account) => lineOf(terminal, account).length === 1) &&
        terminal.screen().filter((line) => line.startsWith("1 of 3")).length === 1 &&
        terminal.screen().filter((line) => line !== "").length === 4,
      { describe: `one table at ${cols}×${rows}` },
    );
  }
  world.move(6);
  await terminal.waitFor(/EXT-0000003 +● IN_PROGRESS/);
  world.move(10);
  await terminal.waitFor("ended as UNKNOWN");
  expect((await terminal.exit).code).toBe(9);
});

test("a terminal with fewer lines than accounts shows some and counts the others; at the end all are listed", async () => {
  await using world = await movedByHand();
  const many = Array.from({ length: 30 }, (_, n) => `EXT-00000${String(n + 20)}`);
  await using terminal = await openConsole(
    ["accounts", "watch", "ACME", ...many, "--timeout", "4s", ...quick],
    { env: world.env, cols: 80, rows: 12 },
  );
  await terminal.waitFor("20 not shown");
  expect((await terminal.exit).code).toBe(8);
  const told = terminal.bytes().slice(terminal.bytes().lastIndexOf("20 not shown"));
  for (const account of many) expect(told).toContain(account);
});

test("Ctrl-C leaves the table as it was and ends with 130", async () => {
  await using world = await movedByHand();
  await using terminal = await openConsole([...words, ...quick], { env: world.env });
  await terminal.waitFor("2 open");
  terminal.press("ctrl-c");
  expect((await terminal.exit).code).toBe(130);
  expect(lineOf(terminal, "EXT-0000002")).toHaveLength(1);
});

test.each([
  ["TERM=dumb", [], { TERM: "dumb" }],
  ["--format jsonl", ["--format", "jsonl"], {}],
  ["--accessible", ["--accessible"], {}],
])("with %s it is a line for each change, and no cursor is moved", async (_, options, env) => {
  await using world = await movedByHand();
  await using terminal = await openConsole([...words, ...quick, ...options], {
    env: { ...world.env, ...env },
    cols: 120,
  });
  for (const account of words.slice(3)) await terminal.waitFor(account);
  world.move(6);
  await terminal.waitFor(/EXT-0000002.*IN_PROGRESS/);
  await terminal.waitFor(/EXT-0000003.*IN_PROGRESS/);
  world.move(10);
  expect((await terminal.exit).code).toBe(9);
  expect(terminal.bytes()).not.toContain("\u001b[");
  expect(terminal.text()).toMatch(/EXT-0000002.*UNKNOWN[\s\S]*EXT-0000002.*COMPLETED/);
});

test("--no-color and --ascii are heeded by the table", async () => {
  await using world = await movedByHand();
  await using terminal = await openConsole([...words, ...quick, "--no-color", "--ascii"], {
    env: world.env,
  });
  await terminal.waitFor("2 open");
  expect(terminal.bytes()).not.toMatch(/\u001b\[\d+m/);
  expect(terminal.text().replace(/[\x20-\x7e\n]/g, "")).toBe("");
});

test("numbers come from a file as well, each is followed once", async () => {
  await using world = await movedByHand();
  await using folders = await openFolders();
  const file = join(folders.home, "accounts.csv");
  await writeFile(file, "external_account_number\nEXT-0000001\nEXT 0000010\n");
  const watch = ["accounts", "watch", "ACME", "EXT-0000001", "--json"];
  const { code, stdout } = await runCommand([...watch, "--from", file], {
    env: world.env,
    folders,
  });
  expect(code).toBe(0);
  expect(stdout.trimEnd().split("\n")).toHaveLength(2);
  const fromInput = await runCommand([...watch, "--from", "-"], {
    env: world.env,
    input: "EXT/0000011\n",
  });
  expect(fromInput.stdout).toContain("EXT/0000011");
  const none = await runCommand(["accounts", "watch", "ACME"], { env: world.env });
  expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining("at least one") });
});

test("with --ascii the table holds ASCII alone, whatever the accounts are called", async () => {
  await using world = await movedByHand();
  const accounts = ["EXT-Ωé-0000013", "EXT-日本-0000014"];
  await using terminal = await openConsole(
    ["accounts", "watch", "ACME", ...accounts, "--ascii", ...quick],
    { env: world.env },
  );
  expect(await terminal.exit).toMatchObject({ code: 0 });
  expect(terminal.text()).toMatch(/EXT-\?\?-0000013 +v COMPLETED/);
  expect(terminal.bytes()).not.toMatch(/[^\x00-\x7e]/);
});
