/** Full and read-only disks are named as such, and what is recorded can still be read. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { runCommand } from "../helpers/command.ts";
import type { Folders } from "../helpers/folders.ts";
import { openSandbox } from "../helpers/service.ts";
import { openSmallDisk, type SmallDisk } from "../helpers/small-disk.ts";

const states = [
  ["full", (disk: SmallDisk) => disk.fill(), "there is no space left on the disk"],
  ["read-only", (disk: SmallDisk) => disk.makeReadOnly(), "the disk is read-only"],
] as const;

function foldersOn(disk: SmallDisk): Folders {
  return {
    home: disk.path,
    config: join(disk.path, "config"),
    state: join(disk.path, "state"),
    cache: null,
    [Symbol.asyncDispose]: async () => {},
  };
}

describe.each(states)("on a disk that is %s", (_, make, words) => {
  test("the journal is listed, shown and exported, and nothing mentions sending", async () => {
    using disk = openSmallDisk();
    if (disk === null) return;
    const sandbox = await openSandbox();
    const options = { folders: foldersOn(disk), env: sandbox.env };
    const run = (...args: string[]) => runCommand(args, options);
    await run("notes", "create", "ACME", "EXT-0000001", "--body", "kept");
    make(disk);
    for (const command of [
      ["activity", "list"],
      ["activity", "show", "1"],
      ["activity", "export"],
      ["bulk", "list"],
    ]) {
      const { code, stdout, stderr } = await run(...command);
      expect({ command, code }).toEqual({ command, code: 0 });
      if (command[0] === "activity") expect(stdout).toContain("EXT-0000001");
      expect(stderr).not.toMatch(/sent\b|cannot be read/);
    }
    const refused = await run("notes", "create", "ACME", "EXT-0000001", "--body", "new");
    expect(refused.stderr).toContain(words);
    // Without the journal, the duplicate guard would not know what was sent.
    expect(refused.stderr).not.toContain("SUPPLYLINE_STATE_DIR");
    expect(refused.code).toBe(1);
  });

  test("settings and journal give the same reason, also where their folders do not exist", async () => {
    using disk = openSmallDisk();
    if (disk === null) return;
    const sandbox = await openSandbox();
    make(disk);
    const options = { folders: foldersOn(disk), env: sandbox.env };
    const profile = ["profiles", "add", "p", "--base-url", "https://service.example"];
    const settings = await runCommand(profile, options);
    expect(settings.stderr).toContain(words);
    const remedyOf = (variable: string) => `set ${variable} to a folder that you can write`;
    const isReadOnly = words === "the disk is read-only";
    expect(settings.stderr.includes(remedyOf("SUPPLYLINE_CONFIG_DIR"))).toBe(isReadOnly);
    const journal = await runCommand(
      ["notes", "create", "ACME", "EXT-0000001", "--body", "a"],
      options,
    );
    expect(journal.stderr).toContain(words);
    expect(journal.stderr).toContain("Nothing was sent");
    expect(journal.stderr.includes(remedyOf("SUPPLYLINE_STATE_DIR"))).toBe(isReadOnly);
    const doctor = await runCommand(["doctor"], options);
    const advice = doctor.stdout.replace(/\s+/g, " ");
    expect(advice.includes(remedyOf("SUPPLYLINE_CONFIG_DIR"))).toBe(isReadOnly);
    expect(advice.includes(remedyOf("SUPPLYLINE_STATE_DIR"))).toBe(isReadOnly);
    const list = await runCommand(["activity", "list", "--json"], options);
    expect(list).toMatchObject({ code: 0, stdout: "[]\n" });
  });

  test("doctor finds it in each of its folders", async () => {
    using disk = openSmallDisk();
    if (disk === null) return;
    const sandbox = await openSandbox();
    const folders = foldersOn(disk);
    for (const path of [folders.config, folders.state]) mkdirSync(path, { mode: 0o700 });
    make(disk);
    const { code, stdout } = await runCommand(["doctor", "--json"], { folders, env: sandbox.env });
    const checks = JSON.parse(stdout) as { check: string; result: string; detail: string }[];
    for (const name of ["config folder", "state folder", "journal"])
      expect(checks.find(({ check }) => check === name)).toMatchObject({
        result: "fail",
        detail: expect.stringContaining(words),
      });
    expect(code).toBe(1);
  });
});
