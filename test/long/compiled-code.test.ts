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
  utimesSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { crc32 } from "node:zlib";
import { programWords } from "../helpers/built-program.ts";
import { type Folders, openFolders, programEnvironment } from "../helpers/folders.ts";
import { runCli } from "../helpers/process.ts";
import { openSandbox } from "../helpers/service.ts";

async function desk() {
  const folders = await openFolders({ ownCache: true });
  return folders;
}

const folderOf = ({ home }: Folders) => join(home, ".cache/supplyline/compiled");

function buildOf(folders: Folders): string {
  const names = readdirSync(folderOf(folders));
  expect(names).toHaveLength(1);
  return join(folderOf(folders), names[0] ?? "");
}

/** The files of the one build, one for each chunk. */
const filesOf = (folders: Folders): readonly string[] =>
  readdirSync(buildOf(folders))
    .toSorted()
    .map((name) => join(buildOf(folders), name));

/** The files with their identities: one that is written again is another one. */
const identities = (folders: Folders) =>
  filesOf(folders).map((path) => {
    const { ino, mtimeNs } = statSync(path, { bigint: true });
    return [path, `${ino} ${mtimeNs}`];
  });

async function help(folders: Folders, env: Record<string, string> = {}): Promise<string> {
  const { code, stdout, stderr } = await runCli(["--help"], { folders, env });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return stdout;
}

test("the second start takes what the first one stored, and writes nothing", async () => {
  const folders = await desk();
  const first = await help(folders);
  const before = identities(folders);
  expect(before.length).toBeGreaterThan(1);
  expect(await help(folders)).toBe(first);
  expect(identities(folders)).toEqual(before);
  // Without a folder for it the program runs all the same.
  expect(await help(folders, { HOME: "" })).toBe(first);
});

test("a command adds its own code and writes no file of others", async () => {
  const folders = await desk();
  await help(folders);
  const before = identities(folders);
  expect(await runCli(["config", "list"], { folders })).toMatchObject({ code: 0 });
  const after = identities(folders);
  expect(after.length).toBeGreaterThan(before.length);
  expect(after).toEqual(expect.arrayContaining(before));
  await help(folders);
  expect(await runCli(["config", "list"], { folders })).toMatchObject({ code: 0 });
  expect(identities(folders)).toEqual(after);
});

test("a run that failed stores nothing; a condition that is met is no failure", async () => {
  const sandbox = await openSandbox();
  const folders = await desk();
  const check = (env: Record<string, string>) =>
    runCli(["check", "ACME", "--no-import-for", "1s"], { folders, env });
  const away = { SUPPLYLINE_BASE_URL: "http://127.0.0.1:9", SUPPLYLINE_TOKEN: "token-1" };
  expect(await check(away)).toMatchObject({ code: 6 });
  expect(readdirSync(folderOf(folders))).toEqual([]);
  expect(await check(sandbox.env)).toMatchObject({ code: 10 });
  const stored = identities(folders);
  expect(await check(sandbox.env)).toMatchObject({ code: 10 });
  expect(identities(folders)).toEqual(stored);
});

describe("a file that is not as it was written is replaced:", () => {
  const flip = (path: string, at: number) => {
    const bytes = readFileSync(path);
    bytes[at] = (bytes[at] ?? 0) ^ 0xff;
    writeFileSync(path, bytes);
  };
  const harms: Readonly<Record<string, (path: string) => void>> = {
    "an empty one": (path) => truncateSync(path, 0),
    "one with half a checksum": (path) => truncateSync(path, 3),
    "one without code": (path) => truncateSync(path, 4),
    "one that is cut in half": (path) => truncateSync(path, statSync(path).size >> 1),
    "one without its last byte": (path) => truncateSync(path, statSync(path).size - 1),
    "one with a damaged checksum": (path) => flip(path, 3),
    "one with damaged code": (path) => flip(path, statSync(path).size >> 1),
    "one of zeros": (path) => writeFileSync(path, Buffer.alloc(statSync(path).size)),
    "another program's": (path) => writeFileSync(path, "#!/bin/sh\nexit 1\n".repeat(1000)),
  };

  test.each(Object.entries(harms))("%s", async (_name, harm) => {
    const folders = await desk();
    const shown = await help(folders);
    const paths = filesOf(folders);
    for (const path of paths) harm(path);
    const harmed = identities(folders);
    expect(await help(folders)).toBe(shown);
    const written = identities(folders);
    expect(written.map(([path]) => path)).toEqual(paths);
    expect(harmed.filter((one, at) => one[1] === written[at]?.[1])).toEqual([]);
    expect(await help(folders)).toBe(shown);
    expect(identities(folders)).toEqual(written);
  });

  test("one that was compiled under other flags", async () => {
    const folders = await desk();
    const shown = await help(folders, { NODE_OPTIONS: "--stack-trace-limit=20" });
    const foreign = buildOf(folders);
    const bytes = filesOf(folders).map((path) => [basename(path), readFileSync(path)] as const);
    rmSync(foreign, { recursive: true });
    expect(await help(folders)).toBe(shown);
    expect(buildOf(folders)).not.toBe(foreign);
    for (const [name, code] of bytes) writeFileSync(join(buildOf(folders), name), code);
    expect(await help(folders)).toBe(shown);
    const written = filesOf(folders).map((path) => readFileSync(path));
    expect(written).not.toEqual(bytes.map(([, code]) => code));
    const before = identities(folders);
    expect(await help(folders)).toBe(shown);
    expect(identities(folders)).toEqual(before);
  });
});

test("an unwritable cache folder causes no message and no files", async () => {
  const folders = await desk();
  const shown = await help(folders);
  const path = buildOf(folders);
  rmSync(path, { recursive: true });
  // No folder can take the place of a file.
  writeFileSync(path, "");
  expect(await help(folders)).toBe(shown);
  expect(readdirSync(folderOf(folders))).toEqual([basename(path)]);
});

test("an invalid home folder is ignored", async () => {
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
  const before = identities(folders);
  chmodSync(folderOf(folders), 0o720);
  expect(await help(folders)).toBe(shown);
  const after = identities(folders);
  expect(after.map(([path]) => path)).toEqual(before.map(([path]) => path));
  expect(after).not.toEqual(before);
  expect(statSync(folderOf(folders)).mode & 0o777).toBe(0o700);
});

const isRoot = process.getuid?.() === 0;
if (!isRoot) console.warn("Only root can become another user: one test is skipped.");

test.runIf(isRoot)("one that cannot be written to is read, and nothing is said", async () => {
  const folders = await desk();
  await help(folders);
  const before = identities(folders);
  const build = buildOf(folders);
  const compiled = dirname(build);
  const own = 54_321;
  for (const one of [folders.home, dirname(compiled), compiled, build, ...filesOf(folders)])
    chownSync(one, own, own);
  chmodSync(build, 0o500);
  chmodSync(compiled, 0o500);
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
  expect(identities(folders)).toEqual(before);
});

test("programs that start at once each store whole files", async () => {
  const folders = await desk();
  const lines = [["--help"], ["profiles", "list"], ["config", "list"], ["completion", "bash"]];
  const results = await Promise.all(lines.map((line) => runCli(line, { folders })));
  expect(results.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
  for (const path of filesOf(folders)) {
    expect(basename(path)).toMatch(/\.js$/);
    const file = readFileSync(path);
    expect(file.readUInt32LE(0)).toBe(crc32(file.subarray(4)));
  }
  const before = identities(folders);
  const again = await Promise.all(lines.map((line) => runCli(line, { folders })));
  expect(again.map(({ stdout }) => stdout)).toEqual(results.map(({ stdout }) => stdout));
  expect(identities(folders)).toEqual(before);
});

test("the newest of other builds stay, and what older ones left goes", async () => {
  const folders = await desk();
  const at = (name: string) => join(folderOf(folders), name);
  mkdirSync(at("older"), { recursive: true, mode: 0o700 });
  writeFileSync(join(at("older"), "program.js"), "");
  // Version 0.2.0 stored one file for each build.
  for (const name of ["oldest", "newer", "newest"]) writeFileSync(at(name), "");
  for (const [age, name] of ["newest", "newer", "older", "oldest"].entries())
    utimesSync(at(name), 1_000_000 - age, 1_000_000 - age);
  await help(folders);
  const names = readdirSync(folderOf(folders));
  expect(names).toHaveLength(3);
  expect(names).toEqual(expect.arrayContaining(["newest", "newer"]));
});
