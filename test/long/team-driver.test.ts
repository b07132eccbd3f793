/** Promise: without a team, no file of the database's driver is opened. */
import { cp, readdir, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { builtProgram, isBuild } from "../helpers/built-program.ts";
import { note } from "../helpers/desk.ts";
import { journalFolder } from "../helpers/folders.ts";
import { startProgram } from "../helpers/process.ts";
import { world } from "../helpers/world.ts";

test.skipIf(!isBuild)(
  "a program without the driver's file works until a profile has a team",
  async () => {
    const folder = join(journalFolder(), "dist");
    await cp(dirname(builtProgram()), folder, { recursive: true });
    const chunks = join(folder, "chunks");
    const driver = (await readdir(chunks)).filter((name) => /^postgres-/.test(name));
    expect(driver).toHaveLength(1);
    const path = join(chunks, driver[0] ?? "");
    expect((await stat(path)).size).toBeLessThanOrEqual(150_000);
    await rm(path);
    const desk = await world({ env: { SUPPLYLINE_ENVIRONMENT: "sandbox" } });
    const run = async (words: readonly string[], env: Readonly<Record<string, string>> = {}) => {
      const program = [process.execPath, join(folder, "cli.js")];
      await using child = await startProgram(program, words, {
        env: { ...desk.env, ...env },
        folders: desk.folders,
      });
      child.endInput();
      return (await child.result).code;
    };
    const write = note("--body", "one", "--yes");
    for (const words of [write, ["activity", "list"], ["report"]])
      expect([words, await run(words)]).toEqual([words, 0]);
    const team = "postgresql://127.0.0.1:1/ledger";
    expect(await run(note("--body", "two", "--yes"), { SUPPLYLINE_TEAM: team })).not.toBe(0);
  },
);
