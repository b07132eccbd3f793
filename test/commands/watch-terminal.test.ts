import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { runCommand } from "../helpers/command.ts";
import { openConsole } from "../helpers/console.ts";
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
  };
}

const words = ["accounts", "watch", "ACME", "EXT-0000001", "EXT-0000002", "EXT-0000003"];
const quick = ["--interval", "200ms"];

test.each([
  ["a terminal", [], {}],
  ["TERM=dumb", [], { TERM: "dumb" }],
  ["--format jsonl", ["--format", "jsonl"], {}],
  ["--accessible", ["--accessible"], {}],
])("with %s it is a line for each change, and no cursor is moved", async (_, options, env) => {
  const world = await movedByHand();
  const terminal = await openConsole([...words, ...quick, ...options], {
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

test("numbers come from a file as well, each is followed once", async () => {
  const world = await movedByHand();
  const folders = await openFolders();
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

test("with --ascii a line has ASCII alone, whatever the accounts are called", async () => {
  const world = await movedByHand();
  const accounts = ["EXT-Ωé-0000013", "EXT-日本-0000014"];
  const terminal = await openConsole(
    ["accounts", "watch", "ACME", ...accounts, "--ascii", ...quick],
    { env: world.env },
  );
  expect(await terminal.exit).toMatchObject({ code: 0 });
  expect(terminal.text()).toMatch(/EXT-\?\?-0000013 +COMPLETED/);
  expect(terminal.bytes()).not.toMatch(/[^\x00-\x7e]/);
});
