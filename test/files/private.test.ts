import { mkdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { accessProblem, makeFolder } from "../../src/files/private.ts";
import { probeWriting } from "../../src/text/disk-words.ts";
import { runCommand } from "../helpers/command.ts";
import { openFolders } from "../helpers/folders.ts";

describe("a folder that is made with those above it", () => {
  test("is its owner's alone, and one that exists stays as it is", async () => {
    const folders = await openFolders();
    const path = join(folders.home, "a", "b");
    mkdirSync(folders.home, { recursive: true });
    expect(makeFolder(path)).toBe(join(folders.home, "a"));
    expect(statSync(path).mode & 0o777).toBe(0o700);
    expect(makeFolder(path)).toBeUndefined();
    symlinkSync(path, join(folders.home, "link"));
    expect(makeFolder(join(folders.home, "link"))).toBeUndefined();
  });

  test("reports a file in its place", async () => {
    const folders = await openFolders();
    mkdirSync(folders.home, { recursive: true });
    const file = join(folders.home, "file");
    writeFileSync(file, "");
    expect(() => makeFolder(file)).toThrow(expect.objectContaining({ code: "EEXIST" }));
    expect(() => makeFolder(join(file, "a"))).toThrow(/ENOTDIR|EEXIST/);
  });
});

test("a folder of another user, such as a mounted volume, names the way out that needs no root", async () => {
  const folders = await openFolders();
  mkdirSync(folders.home, { recursive: true });
  const foreign = Object.assign(statSync(folders.home), { uid: (process.getuid?.() ?? 0) + 1 });
  expect(accessProblem("folder", "/data", foreign)).toMatchObject({
    words: "belongs to another user",
    fix: expect.stringMatching(/chown.* \/data, or .*SUPPLYLINE_STATE_DIR.* below it$/),
  });
});

describe.runIf(process.platform === "linux")("below /proc, where no folder can be made", () => {
  test("making and probing one end with a code of their own", () => {
    const path = "/proc/nope/state/supplyline";
    expect(() => makeFolder(path)).toThrow(expect.objectContaining({ code: "ENOFOLDER" }));
    expect(probeWriting(path)).toMatch(/^(ENOFOLDER|EACCES|EPERM)$/);
  });

  test.each([
    [["profiles", "add", "x", "--base-url", "http://127.0.0.1:1"], "SUPPLYLINE_CONFIG_DIR"],
    [["notes", "create", "ACME", "EXT-1", "--body", "hi"], "SUPPLYLINE_STATE_DIR"],
  ])("%s ends with one message that names the folder and the variable", async (words, variable) => {
    const folders = await openFolders();
    const { code, stderr } = await runCommand(words, {
      folders,
      env: {
        SUPPLYLINE_CONFIG_DIR: "/proc/nope/config",
        SUPPLYLINE_STATE_DIR: "/proc/nope/state",
        SUPPLYLINE_BASE_URL: "http://127.0.0.1:9",
        SUPPLYLINE_TOKEN: "t",
      },
    });
    expect(code).toBe(1);
    expect(stderr.trim().split("\n")).toHaveLength(1);
    expect(stderr).toContain("/proc/nope/");
    expect(stderr).toContain(variable);
  });
});
