import { runCommand } from "../helpers/command.ts";
import { openConsole } from "../helpers/console.ts";
import { openFolders } from "../helpers/folders.ts";
import { openSandbox } from "../helpers/service.ts";
import { spawnConsole } from "../helpers/terminal.ts";

test("login on a terminal asks for the key and does not show it", async () => {
  const folders = await openFolders();
  const sandbox = await openSandbox();
  await runCommand(["profiles", "add", "here", "--base-url", sandbox.baseUrl], { folders });
  const terminal = await openConsole(["login"], { folders });
  await terminal.waitFor("API key (not shown):");
  await terminal.send(`x\u007f${sandbox.apiKey}\r`).until("Saving the token in");
  expect(await terminal.exit).toEqual({ code: 0, signal: null });
  expect(terminal.bytes()).not.toContain(sandbox.apiKey);
});

test("arrow keys, answers of the terminal and brackets of a paste are no part of a typed key", async () => {
  const folders = await openFolders();
  const sandbox = await openSandbox();
  await runCommand(["profiles", "add", "here", "--base-url", sandbox.baseUrl], { folders });
  const terminal = await openConsole(["login"], { folders });
  await terminal.waitFor("API key (not shown):");
  const stray = "\x1b[A\x1bOD\x1b[M s*\x1b[115;1:3u\x1b]11;rgb:0/0/0\x07\x1bP>|xterm(370)\x1b\\";
  const half = sandbox.apiKey.length / 2;
  terminal.send(`${stray}${sandbox.apiKey.slice(0, half)}${stray}`);
  await terminal
    .send(`\x1b[200~${sandbox.apiKey.slice(half)}\r\x1b[201~\r`)
    .until("Saving the token in");
  expect(await terminal.exit).toEqual({ code: 0, signal: null });
});

test("Ctrl-C while the key is typed ends login with 130", async () => {
  const folders = await openFolders();
  await runCommand(["profiles", "add", "here", "--base-url", "http://127.0.0.1:9"], { folders });
  const terminal = await openConsole(["login"], { folders });
  await terminal.waitFor("API key (not shown):");
  terminal.send("half\u0003");
  expect(await terminal.exit).toEqual({ code: 130, signal: null });
  expect(terminal.bytes()).not.toContain("half");
});

test.each([
  [[], /Suppliers/],
  [["open", "ACME"], /ACME/],
  [["open", "ACME", "EXT-0000001"], /EXT-0000001.*COMPLETED/s],
  [["open", "ACME", "--supply-point", "SP-CANCELLED"], /SP-CANCELLED.*CANCELLED/s],
])("the console opens at %j", async (words, expected) => {
  const terminal = await openConsole(["--sandbox", ...words]);
  await terminal.waitFor(expected);
  expect(terminal.altScreen()).toBe(true);
});

test("SIGTERM ends the console, and the terminal is as before", async () => {
  const terminal = await spawnConsole(["--sandbox"]);
  await terminal.waitFor("ACME");
  terminal.signal("SIGTERM");
  await terminal.exit;
  expect(terminal.altScreen()).toBe(false);
});

test("an unknown profile is reported before the screen is touched", async () => {
  const terminal = await openConsole(["--profile", "nope"]);
  await terminal.waitFor('no profile named "nope"');
  expect(await terminal.exit).toEqual({ code: 2, signal: null });
  expect(terminal.altScreen()).toBe(false);
});

test("a number that one supplier has opens the console at its account", async () => {
  const terminal = await openConsole(["NORTH-0000001", "--sandbox"]);
  await terminal.waitFor("COMPLETED");
  expect(terminal.text()).toMatch(/^Suppliers › NORTH › Accounts › NORTH-0000001 /);
});

test("a number that no supplier has is reported at a terminal, and opens nothing", async () => {
  const terminal = await openConsole(["NORTH-9999991", "--sandbox"]);
  expect(await terminal.exit).toEqual({ code: 5, signal: null });
  expect(terminal.text()).toMatch(/^NORTH-9999991 +- +not found/m);
});
