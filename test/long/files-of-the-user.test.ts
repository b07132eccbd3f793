/** Promise: whatever the umask, every file the program makes is its user's alone, at every moment. */

import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { programWords } from "../helpers/built-program.ts";
import { type Folders, openFolders, programEnvironment } from "../helpers/folders.ts";
import { runProcess } from "../helpers/process.ts";
import { openSandbox, openService, reply } from "../helpers/service.ts";
import { storedDrafts } from "../helpers/state.ts";
import { openTerminal } from "../helpers/terminal.ts";
import { everythingBelow, openToOthers, runUnder, umaskShell } from "./under-umask.ts";

const rows = "import_supplier,external_account_number,body\nACME,EXT-0000001,one\n";
const isRoot = process.getuid?.() === 0;
const umasks = ["000", "022", "077"];

async function desk() {
  const folders = await openFolders({ ownCache: true });
  // As a home folder is on most machines: readable.
  chmodSync(folders.home, 0o755);
  return folders;
}

const names = (folders: Folders) =>
  everythingBelow(folders.home).filter((path) => !path.startsWith(".cache"));

describe.each(umasks)("under umask %s", (umask) => {
  test("profiles, key, token, journal, exports and compiled code are for their user alone", async () => {
    const sandbox = await openSandbox();
    const folders = await desk();
    const run = async (...args: string[]) => {
      const ended = await runUnder(umask, folders, args, { input: sandbox.apiKey });
      expect(ended).toMatchObject({ code: 0 });
      expect(openToOthers(folders.home)).toEqual([]);
    };
    await run("profiles", "add", "p", "--base-url", sandbox.baseUrl);
    await run("login", "--api-key-stdin", "--save-key");
    await run("notes", "create", "ACME", "EXT-0000001", "--body", "hello");
    writeFileSync(join(folders.home, "rows.csv"), rows, { mode: 0o600 });
    await run("bulk", "run", "notes", "--from", "rows.csv", "--yes");
    await run("activity", "export", "--output", "activity.jsonl");
    await run("logout");
    expect(names(folders)).toEqual(
      expect.arrayContaining([
        "activity.jsonl",
        "config/credentials.json",
        "config/profiles.json",
        "rows.results.csv",
        "state/journal.sqlite",
      ]),
    );
    expect(everythingBelow(folders.home)).toContain(".cache/supplyline/compiled");
  });

  test("the journal's own files are closed while a write is under way", async () => {
    const folders = await desk();
    const seen: string[][] = [];
    const files: string[][] = [];
    const service = await openService(({ path }, response) => {
      if (path.includes("/notes/")) {
        seen.push(openToOthers(folders.home));
        files.push(readdirSync(folders.state));
      }
      reply(response, 400, {});
    });
    await runUnder(umask, folders, ["notes", "create", "ACME", "E", "--body", "x"], {
      env: { SUPPLYLINE_BASE_URL: service.baseUrl, SUPPLYLINE_TOKEN: "token-1" },
    });
    expect(seen).toEqual([[]]);
    expect(files[0]).toEqual(
      expect.arrayContaining(["journal.sqlite", "journal.sqlite-shm", "journal.sqlite-wal"]),
    );
  });

  test("drafts, the watch list, what an editor is given and exports of the console are closed", async () => {
    const sandbox = await openSandbox();
    const folders = await desk();
    // An editor that reports what it was given, and who else could read it.
    const editor = `${process.execPath} ${join(import.meta.dirname, "spying-editor.mjs")} ${join(folders.home, "seen")}`;
    mkdirSync(join(folders.home, "seen"), { mode: 0o700 });
    const terminal = await openTerminal("/bin/sh", umaskShell(umask, ["open", "ACME"]), {
      env: programEnvironment(folders, { ...sandbox.env, EDITOR: editor }),
      cwd: folders.home,
    });
    await terminal.waitFor("of 120 imported");
    await terminal.press("enter").until("EXT-0000001");
    await terminal.press("w").until("Watching");
    await terminal.press("E").until("ACME-all.csv");
    await terminal.press("ctrl-u").untilGone("ACME-all.csv");
    await terminal.send("rows.csv").until("rows.csv");
    await terminal.press("enter").until(/rows written: .*rows\.csv/);
    await terminal.press("n").until("Notes for ACME/");
    await terminal.send("half a note").until("half a note");
    await terminal.press("ctrl-o").until("edited by the spy");
    await terminal.press("esc").until("[All");
    terminal.press("q");
    expect(await terminal.exit).toMatchObject({ code: 0 });
    expect(openToOthers(folders.home)).toEqual([]);
    expect(readdirSync(join(folders.home, "seen"))).toEqual(["700-600"]);
    expect(names(folders)).toEqual(expect.arrayContaining(["rows.csv", "state/state.sqlite"]));
    expect(storedDrafts(folders.state, "ad-hoc")).toHaveLength(1);
    expect(names(folders).some((path) => path.includes(".from-editor-"))).toBe(false);
  });
});

test("a umask that takes the rights of the owner too leaves folders 0700 and files 0600", async () => {
  const sandbox = await openSandbox();
  const folders = await desk();
  // Root may do everything, whatever the mode.
  const user = isRoot ? 54_321 : undefined;
  if (user !== undefined) chownSync(folders.home, user, user);
  writeFileSync(join(folders.home, "rows.csv"), rows);
  const run = async (...args: string[]) =>
    runProcess(["/bin/sh", ...umaskShell("0777", args)], {
      cwd: folders.home,
      env: programEnvironment(folders),
      input: sandbox.apiKey,
      ...(user === undefined ? {} : { user }),
    });
  for (const line of [
    ["profiles", "add", "p", "--base-url", sandbox.baseUrl, "--supplier", "ACME"],
    ["login", "--api-key-stdin", "--save-key"],
    ["notes", "create", "ACME", "EXT-0000001", "--body", "hello"],
    ["accounts", "list", "ACME"],
    ["bulk", "run", "notes", "--from", "rows.csv", "--yes"],
    ["cohorts", "add", "c", "ACME", "--source", "rows.csv"],
    ["activity", "export", "--output", "activity.jsonl"],
  ])
    expect({ line, ...(await run(...line)) }).toMatchObject({ line, code: 0 });
  const wrong = names(folders).filter((path) => {
    const stats = lstatSync(join(folders.home, path));
    return path !== "rows.csv" && (stats.mode & 0o777) !== (stats.isDirectory() ? 0o700 : 0o600);
  });
  expect(wrong).toEqual([]);
  expect(everythingBelow(folders.home)).toContain(".cache/supplyline/compiled");
});

describe("compiled code is run from a folder of the user's own or not at all", () => {
  const cached = (folders: Folders) =>
    everythingBelow(folders.home).filter((path) => path.includes("compiled/"));

  test("one that others can write to is not used", async () => {
    const folders = await desk();
    mkdirSync(join(folders.home, ".cache/supplyline"), { recursive: true });
    chmodSync(join(folders.home, ".cache/supplyline"), 0o777);
    expect(await runUnder("022", folders, ["--version"])).toMatchObject({ code: 0 });
    expect(cached(folders)).toEqual([]);
  });

  test("a link to somewhere else is not followed", async () => {
    const folders = await desk();
    mkdirSync(join(folders.home, "elsewhere"), { mode: 0o700 });
    mkdirSync(join(folders.home, ".cache"));
    symlinkSync(join(folders.home, "elsewhere"), join(folders.home, ".cache/supplyline"));
    expect(await runUnder("022", folders, ["--version"])).toMatchObject({ code: 0 });
    expect(everythingBelow(join(folders.home, "elsewhere"))).toEqual([]);
  });

  test.each(["000", "022"])("each folder of it is 0700 by itself under umask %s", async (umask) => {
    const folders = await desk();
    const cache = join(folders.home, ".cache/supplyline");
    const modes = () =>
      ["", ...everythingBelow(cache)]
        .map((path) => join(cache, path))
        .filter((path) => lstatSync(path).isDirectory())
        .map((path) => (lstatSync(path).mode & 0o777).toString(8));
    expect(await runUnder(umask, folders, ["--version"])).toMatchObject({ code: 0 });
    expect(modes()).toEqual(["700", "700", "700"]);
    for (const path of everythingBelow(cache))
      if (lstatSync(join(cache, path)).isDirectory()) chmodSync(join(cache, path), 0o777);
    expect(await runUnder(umask, folders, ["--version"])).toMatchObject({ code: 0 });
    expect(modes()).toEqual(["700", "700", "700"]);
  });

  test("one made under a laxer umask by an earlier version is closed", async () => {
    const folders = await desk();
    mkdirSync(join(folders.home, ".cache/supplyline"), { recursive: true, mode: 0o755 });
    expect(await runUnder("022", folders, ["--version"])).toMatchObject({ code: 0 });
    expect(cached(folders).length).toBeGreaterThan(0);
    expect(openToOthers(folders.home).filter((path) => path.includes("supplyline"))).toEqual([]);
  });
});

if (!isRoot) console.warn("Only root can become a user without a name: one test is skipped.");

test.runIf(isRoot)(
  "a user whom the system has no name for, as in a container, can write",
  async () => {
    const sandbox = await openSandbox();
    const folders = await desk();
    const nobody = 54_321;
    chownSync(folders.home, nobody, nobody);
    const { HOME: _, ...env } = programEnvironment(folders, sandbox.env);
    const run = async (...args: readonly string[]) => {
      const words = [...programWords(), ...args];
      return (await runProcess(words, { cwd: folders.home, env, user: nobody })).code;
    };
    expect(await run("notes", "create", "ACME", "EXT-0000001", "--body", "hello")).toBe(0);
    expect(await run("profiles", "add", "p", "--base-url", sandbox.baseUrl)).toBe(0);
    expect(openToOthers(folders.state)).toEqual([]);
  },
);
