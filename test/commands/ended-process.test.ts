/** An entry of an ended process is unknown for every reader, whatever the disk accepts. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { ownerText, processLife } from "../../src/writes/owner.ts";
import { runCommand } from "../helpers/command.ts";
import type { Folders } from "../helpers/folders.ts";
import { openSandbox } from "../helpers/service.ts";
import { openSmallDisk, type SmallDisk } from "../helpers/small-disk.ts";

const { self } = processLife(process.pid);
const owners = {
  ended: ownerText({ ...self, startedAt: `${self.startedAt}0` }),
  running: ownerText(self),
};

/** Leaves entry 1 as a process leaves it that was killed after its request. */
function leaveSending(state: string, owner: string): void {
  const database = new DatabaseSync(join(state, "journal.sqlite"));
  database
    .prepare("UPDATE intent SET state = 'sending', reason = NULL, ended_at = NULL, owner = ?")
    .run(owner);
  database.exec("UPDATE attempt SET outcome = 'sending', ended_at = NULL; DELETE FROM item");
  database.close();
}

const damage = (disk: SmallDisk) =>
  writeFileSync(join(disk.path, "state", "journal.sqlite"), "not a database", { mode: 0o600 });

const disks = {
  writable: () => {},
  full: (disk: SmallDisk) => disk.fill(),
  "read-only": (disk: SmallDisk) => disk.makeReadOnly(),
  unreadable: damage,
} satisfies Record<string, (disk: SmallDisk) => void>;

/** The number of unknown entries. Null: not known. */
type Unknown = 0 | 1 | null;

const cases: readonly (readonly [keyof typeof disks, keyof typeof owners, Unknown])[] = [
  ["writable", "ended", 1],
  ["full", "ended", 1],
  ["read-only", "ended", 1],
  ["unreadable", "ended", null],
  ["writable", "running", 0],
  ["full", "running", 0],
  ["read-only", "running", 0],
  ["unreadable", "running", null],
];

describe.each(cases)(
  "a journal that is %s, with an entry of a process that is %s",
  (make, owner, n) => {
    test("has the same unknown entries for every reader", async () => {
      using disk = openSmallDisk();
      if (disk === null) return;
      const sandbox = await openSandbox();
      const folders: Folders = {
        home: disk.path,
        config: join(disk.path, "config"),
        state: join(disk.path, "state"),
        cache: null,
        [Symbol.asyncDispose]: async () => {},
      };
      const run = (...args: string[]) =>
        runCommand(args, { folders, env: { ...sandbox.env, SUPPLYLINE_OBSERVE: "0" } });
      await run("notes", "create", "ACME", "EXT-0000001", "--body", "one");
      leaveSending(folders.state, owners[owner]);
      disks[make](disk);

      const check = await run("check", "ACME", "--unknown-writes", "--json");
      expect(JSON.parse(check.stdout)).toMatchObject([
        { met: n === null ? null : n > 0, figure: n },
      ]);
      expect(check.code).toBe(n === 0 ? 0 : 10);
      const plugin = await run("check", "ACME", "--unknown-writes", "--plugin");
      expect(plugin.code).toBe(n === null ? 3 : n * 2);
      const figures = await run("suppliers", "show", "ACME", "--json");
      expect(JSON.parse(figures.stdout)).toMatchObject({ unknown_writes: n });
      const gauges = await run("suppliers", "show", "ACME", "--format", "prometheus");
      const gauge = /^supplyline_unknown_writes\{.*\} (\d+)$/m.exec(gauges.stdout);
      expect(gauge?.[1] ?? null).toBe(n === null ? null : String(n));
      const report = await run("report", "ACME", "--json");
      expect(JSON.parse(report.stdout)).toMatchObject({ open: { unknown: n } });
      const list = await run("activity", "list", "--outcome", "unknown", "--json");
      const show = await run("activity", "show", "1", "--json");
      if (n === null) {
        expect([list.code, show.code]).toEqual([2, 2]);
        return;
      }
      expect(JSON.parse(list.stdout)).toHaveLength(n);
      expect(JSON.parse(show.stdout)).toMatchObject({ outcome: n > 0 ? "unknown" : "sending" });
    });
  },
);
