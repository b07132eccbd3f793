/** Checks while nothing can be stored: what is gone is reported, or that it is not known, never that all is well. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openSmallDisk, type SmallDisk } from "../../test/helpers/small-disk.ts";
import type { Violation } from "../invariants/invariant.ts";
import { openListsStage } from "./lists-stage.ts";
import type { ScenarioOptions, ScenarioResult } from "./stage.ts";

/** Not even the first page of a log. */
const noRoom = 2 * 1024;

/** An account is gone, and the stored lists show it: met is true if they can be read, otherwise null. */
export async function unstoredChecks(options: ScenarioOptions): Promise<ScenarioResult> {
  await using stage = await openListsStage(options);
  const violations: Violation[] = [];
  let injected = 0;
  const stored = async (folder: string) => {
    stage.setPending(20);
    await stage.run(["accounts", "list"], folder);
    stage.setPending(19);
  };
  const judge = async (
    when: string,
    folder: string,
    expected: true | null,
    ...more: Parameters<typeof stage.run>[2][]
  ) => {
    injected += 1;
    const { code, stdout, stderr } = await stage.run(["check", "--gone"], folder, ...more);
    const met = stdout === "" ? stderr : JSON.parse(stdout)[0].met;
    if (met === expected && code === 10) return;
    const what = `met is ${met} with exit code ${code} instead of ${expected} with 10, ${when}`;
    violations.push({ invariant: "no false all-clear", what });
  };
  const folder = join(stage.folder, "state");
  await stored(folder);
  await judge("recording is off", folder, true, { env: { SUPPLYLINE_OBSERVE: "0" } });
  await judge("no file may grow", folder, true, { limit: noRoom });
  writeFileSync(join(folder, "observations.sqlite"), "damaged ".repeat(4_096));
  await judge("the file is damaged", folder, null);
  const file = join(stage.folder, "file");
  writeFileSync(file, "");
  await judge("a file is in the place of the folder", file, null);
  const disks = [
    ["the disk is full", (disk: SmallDisk) => disk.fill()],
    ["the disk is read-only", (disk: SmallDisk) => disk.makeReadOnly()],
  ] as const;
  const name = "checks that store nothing";
  const result = { name, writes: 0, violations, recoveryMs: [] };
  for (const [when, make] of disks) {
    using disk = openSmallDisk();
    if (disk === null)
      return { ...result, injected, notice: "no small disk can be mounted, full or read-only" };
    const state = join(disk.path, "state");
    mkdirSync(state, { mode: 0o700 });
    await stored(state);
    make(disk);
    await judge(when, state, true);
  }
  return { ...result, injected };
}
