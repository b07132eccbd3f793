/** Promise: compiled code makes a start faster and never changes what the program does. */
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { programWords } from "../helpers/built-program.ts";
import { type Folders, openFolders, programEnvironment } from "../helpers/folders.ts";
import { runCli } from "../helpers/process.ts";
import { openSandbox } from "../helpers/service.ts";

async function desk() {
  const folders = await openFolders({ ownCache: true });
  onTestFinished(() => folders[Symbol.asyncDispose]());
  return folders;
}

const folderOf = ({ home }: Folders) => join(home, ".cache/supplyline/compiled");

/** The one file of compiled code. */
function compiledFile(folders: Folders): string {
  const names = readdirSync(folderOf(folders));
  expect(names).toHaveLength(1);
  return join(folderOf(folders), names[0] ?? "");
}

/** Which file it is: one that is written again is another one. */
const identity = (path: string) => statSync(path, { bigint: true }).ino;

async function help(folders: Folders, env: Record<string, string> = {}): Promise<string> {
  const { code, stdout, stderr } = await runCli(["--help"], { folders, env });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return stdout;
}

test("the second start takes what the first one stored, and writes nothing", async () => {
  const folders = await desk();
  const first = await help(folders);
  const path = compiledFile(folders);
  const before = identity(path);
  expect(await help(folders)).toBe(first);
  expect(identity(path)).toBe(before);
  // Without a folder for it the program runs all the same.
  expect(await help(folders, { HOME: "" })).toBe(first);
});

test("a command adds its own code to what others stored", async () => {
  const folders = await desk();
  await help(folders);
  const { size } = statSync(compiledFile(folders));
  expect(await runCli(["config", "list"], { folders })).toMatchObject({ code: 0 });
  const path = compiledFile(folders);
  expect(statSync(path).size).toBeGreaterThan(size);
  const before = identity(path);
  await help(folders);
  expect(await runCli(["config", "list"], { folders })).toMatchObject({ code: 0 });
  expect(identity(path)).toBe(before);
});

test("a run that failed is completed by the next one that does not", async () => {
  await using sandbox = await openSandbox();
  const folders = await desk();
  const status = (env: Record<string, string>) =>
    runCli(["accounts", "status", "ACME", "EXT-0000001"], { folders, env });
  const away = { SUPPLYLINE_BASE_URL: "http://127.0.0.1:9", SUPPLYLINE_TOKEN: "token-1" };
  expect(await status(away)).not.toMatchObject({ code: 0 });
  const failed = compiledFile(folders);
  const before = identity(failed);
  expect(await status(away)).not.toMatchObject({ code: 0 });
  expect(identity(failed)).toBe(before);
  const { size } = statSync(failed);
  expect(await status(sandbox.env)).toMatchObject({ code: 0 });
  expect(statSync(failed).size).toBeGreaterThan(size);
  const whole = identity(failed);
  expect(await status(sandbox.env)).toMatchObject({ code: 0 });
  expect(identity(failed)).toBe(whole);
});

describe("a file that is not as it was written is replaced:", () => {
  const flip = (path: string, at: number) => {
    const bytes = readFileSync(path);
    bytes[at] = (bytes[at] ?? 0) ^ 0xff;
    writeFileSync(path, bytes);
  };
  const harms: Readonly<Record<string, (path: string) => void>> = {
    "an empty one": (path) => truncateSync(path, 0),
    "one with half a header": (path) => truncateSync(path, 5),
    "one that ends in its index": (path) => truncateSync(path, 100),
    "one that is cut in half": (path) => truncateSync(path, statSync(path).size >> 1),
    "one without its last byte": (path) => truncateSync(path, statSync(path).size - 1),
    "one with a damaged length": (path) => flip(path, 3),
    "one with a damaged index": (path) => flip(path, 60),
    "one with damaged code": (path) => {
      // Every page of it.
      for (let at = statSync(path).size - 1; at > 4096; at -= 4096) flip(path, at);
    },
    "one of zeros": (path) => writeFileSync(path, Buffer.alloc(statSync(path).size)),
    "another program's": (path) => writeFileSync(path, "#!/bin/sh\nexit 1\n".repeat(1000)),
  };

  test.each(Object.entries(harms))("%s", async (_name, harm) => {
    const folders = await desk();
    const shown = await help(folders);
    const path = compiledFile(folders);
    harm(path);
    const harmed = identity(path);
    expect(await help(folders)).toBe(shown);
    expect(compiledFile(folders)).toBe(path);
    const written = identity(path);
    expect(written).not.toBe(harmed);
    expect(await help(folders)).toBe(shown);
    expect(identity(path)).toBe(written);
  });

  test("one that was compiled under other flags", async () => {
    const folders = await desk();
    const shown = await help(folders, { NODE_OPTIONS: "--stack-trace-limit=20" });
    const foreign = compiledFile(folders);
    const bytes = readFileSync(foreign);
    rmSync(foreign);
    expect(await help(folders)).toBe(shown);
    const path = compiledFile(folders);
    expect(path).not.toBe(foreign);
    writeFileSync(path, bytes);
    const before = identity(path);
    expect(await help(folders)).toBe(shown);
    const written = identity(path);
    expect(written).not.toBe(before);
    expect(await help(folders)).toBe(shown);
    expect(identity(path)).toBe(written);
  });
});

test("where it cannot be written nothing is said and nothing is left", async () => {
  const folders = await desk();
  const shown = await help(folders);
  const path = compiledFile(folders);
  rmSync(path);
  // No file can take the place of a folder.
  mkdirSync(path);
  writeFileSync(join(path, "taken"), "");
  expect(await help(folders)).toBe(shown);
  expect(readdirSync(folderOf(folders))).toEqual([path.slice(folderOf(folders).length + 1)]);
});

test("a home folder that is none is passed over", async () => {
  const folders = await desk();
  const shown = await help(folders);
  const file = join(folders.home, "file");
  writeFileSync(file, "");
  expect(await help(folders, { HOME: file })).toBe(shown);
  expect(await help(folders, { XDG_CACHE_HOME: "relative" })).toBe(shown);
});

test("a folder that others could write to is emptied first", async () => {
  const folders = await desk();
  const shown = await help(folders);
  const path = compiledFile(folders);
  chmodSync(folderOf(folders), 0o720);
  expect(await help(folders)).toBe(shown);
  expect(compiledFile(folders)).toBe(path);
  expect(statSync(folderOf(folders)).mode & 0o777).toBe(0o700);
});

const isRoot = process.getuid?.() === 0;
if (!isRoot) console.warn("Only root can become another user: one test is skipped.");

test.runIf(isRoot)("one that cannot be written to is read, and nothing is said", async () => {
  const folders = await desk();
  await help(folders);
  const path = compiledFile(folders);
  const own = 54_321;
  for (const one of [folders.home, dirname(dirname(path)), dirname(path), path])
    chownSync(one, own, own);
  chmodSync(dirname(path), 0o500);
  const asOther = () => {
    const [program, ...words] = [...programWords(), "completion", "bash"];
    return spawnSync(program ?? "", words, {
      cwd: folders.home,
      env: programEnvironment(folders),
      encoding: "utf8",
      uid: own,
      gid: own,
    });
  };
  expect(asOther()).toMatchObject({ status: 0, stderr: "" });
  expect(readdirSync(dirname(path))).toHaveLength(1);
});

test("programs that start at once each store a whole file", async () => {
  const folders = await desk();
  const lines = [["--help"], ["profiles", "list"], ["config", "list"], ["completion", "bash"]];
  const results = await Promise.all(lines.map((line) => runCli(line, { folders })));
  expect(results.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
  compiledFile(folders);
  for (const line of lines) expect(await runCli(line, { folders })).toMatchObject({ code: 0 });
  const path = compiledFile(folders);
  const before = identity(path);
  const again = await Promise.all(lines.map((line) => runCli(line, { folders })));
  expect(again.map(({ stdout }) => stdout)).toEqual(results.map(({ stdout }) => stdout));
  expect(identity(path)).toBe(before);
});

test("of the files that other builds left only the newest stay", async () => {
  const folders = await desk();
  mkdirSync(join(folderOf(folders), "v24.1.0-x64-old"), { recursive: true, mode: 0o700 });
  for (const name of ["one", "two", "three"]) writeFileSync(join(folderOf(folders), name), "");
  await help(folders);
  expect(readdirSync(folderOf(folders))).toHaveLength(3);
  expect(readdirSync(folderOf(folders))).not.toContain("v24.1.0-x64-old");
});
