/**
 * Promise: machines of a team have the ages, changes and gone accounts of one machine that read all of their
 * lists, whoever was away, late, or ended in the middle.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Observations } from "../../../src/triage/observations/observations.ts";
import { openObservations } from "../../../src/triage/observations/open-observations.ts";
import { batchOf, type Row } from "../../accounts/rows.ts";
import { clockOf } from "../../helpers/clock.ts";
import { TestMemory } from "../../writes/team/memory-memory.ts";

const origin = "https://service.example";
const hour = 3_600_000;
const start = Date.parse("2026-01-15T09:00:00Z");

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "supplyline-team-history-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A machine with a state folder. Its clock is that of the world. */
class Desk {
  readonly name: string;
  readonly folder = temporaryFolder();
  readonly world: World;
  readonly said: string[] = [];
  observations!: Observations;

  constructor(world: World, name: string) {
    this.world = world;
    this.name = name;
  }

  async open(hasTeam = true): Promise<this> {
    const { world, name } = this;
    const driver = {
      address: "test/ledger",
      names: { machine: name, person: `person of ${name}` },
      open: async () => world.memory.as(name),
    };
    this.observations = await openObservations({
      folder: this.folder,
      origin,
      clock: world.clock,
      judge: { trustedNow: () => (world.isTrusted ? world.now : null), wrongByMs: () => 0 },
      recording: true,
      team: hasTeam
        ? {
            load: async () => driver,
            isFollowing: false,
            onAway: () => this.said.push("away"),
            onDropped: (_, lists) => this.said.push(`dropped ${lists}`),
          }
        : null,
    });
    return this;
  }

  /** Opens the state folder again, as the next command does. */
  async again(): Promise<this> {
    await this.observations.close();
    return this.open();
  }

  async record(rows: readonly Row[], at = this.world.now) {
    const recorder = this.observations.begin("ACME", at);
    await recorder.take(batchOf(rows));
    return recorder.finish();
  }

  async ages() {
    const ages = await this.observations.ages("ACME");
    if (ages === null) return null;
    return Array.from({ length: ages.rows }, (_, row) =>
      [
        ages.externalAt(row),
        ...[ages.firstSeen(row), ages.pendingSince(row), ages.goneAt(row)].map((at) =>
          Number.isNaN(at) ? "-" : (at - start) / hour,
        ),
      ].join(" "),
    ).toSorted();
  }

  async changes() {
    const changes = await this.observations.changes("ACME", null);
    return changes.map(
      ({ external, change, seenAt }) => `${(seenAt - start) / hour} ${external} ${change}`,
    );
  }
}

class World {
  now = start;
  /** True if the service confirms the clock, so that old rows expire. */
  isTrusted = false;
  readonly memory = new TestMemory();
  readonly clock = clockOf({
    now: () => this.now,
    sleep: () => Promise.withResolvers<void>().promise,
  });

  async desk(name: string, hasTeam = true): Promise<Desk> {
    const desk = await new Desk(this, name).open(hasTeam);
    onTestFinished(() => desk.observations.close());
    return desk;
  }

  /** An hour passes; the database is asked again. */
  pass(hours = 1): void {
    this.now += hours * hour;
  }
}

const alone = async (desk: Desk) => {
  await desk.again();
  return { ages: await desk.ages(), changes: await desk.changes() };
};

describe("machines of a team", () => {
  test("an empty machine has the ages and the changes that another one has seen", async () => {
    const world = new World();
    const a = await world.desk("a");
    await a.record([["E-1"], ["E-2"]]);
    world.pass();
    await a.record([["E-1"], ["E-3"]]);
    world.pass();
    await a.record([["E-1", "A-1"], ["E-3"]]);
    await a.observations.close();
    const b = await world.desk("b");
    expect(await b.ages()).toEqual(["E-1 0 - -", "E-2 0 - 1", "E-3 1 1 -"]);
    expect(await b.changes()).toEqual(["1 E-2 gone", "1 E-3 staged", "2 E-1 imported"]);
    expect(await b.observations.summary("ACME", world.now)).toMatchObject({
      observations: 3,
      historySince: start,
      pending: 1,
      gone: 1,
      oldestPendingSince: start + hour,
      lastDay: { staged: 1, gone: 1, imported: 1 },
    });
  });

  test("machines that record in turn see each other's lists, and a later load makes an earlier one late", async () => {
    const world = new World();
    const [a, b] = [await world.desk("a"), await world.desk("b")];
    await a.record([["E-1"]]);
    await a.again();
    world.pass();
    expect(await b.record([["E-1"], ["E-2"]])).toMatchObject({ kind: "recorded", changes: 1 });
    world.pass();
    expect(await a.record([["E-2"]])).toMatchObject({ kind: "recorded", changes: 1 });
    await b.again();
    expect(await b.record([["E-1"]], world.now - hour / 2)).toEqual({ kind: "late" });
    const expected = ["E-1 0 - 2", "E-2 1 1 -"];
    expect(await a.ages()).toEqual(expected);
    expect(await b.ages()).toEqual(expected);
    expect((await alone(a)).changes).toEqual(["1 E-2 staged", "2 E-1 gone"]);
  });

  test("a list of another machine that arrives while one is compared is compared first", async () => {
    const world = new World();
    const [a, b] = [await world.desk("a"), await world.desk("b")];
    await a.record([["E-1"]]);
    await a.again();
    await b.ages();
    world.pass();
    world.memory.onCall = async (name) => {
      if (name !== "append") return;
      world.memory.onCall = () => {};
      await a.record([["E-1"], ["E-9"]], world.now);
    };
    expect(await b.record([["E-1"], ["E-2"], ["E-9"]])).toMatchObject({
      kind: "recorded",
      changes: 1,
    });
    expect(await b.changes()).toEqual(["1 E-9 staged", "1 E-2 staged"]);
    expect((await alone(a)).changes).toEqual(await b.changes());
  });

  test("a list is late if another machine records a later load while it is compared", async () => {
    const world = new World();
    const [a, b] = [await world.desk("a"), await world.desk("b")];
    await a.record([["E-1"]]);
    await a.again();
    await b.ages();
    world.pass();
    world.memory.onCall = async (name) => {
      if (name !== "append") return;
      world.memory.onCall = () => {};
      world.pass();
      await a.record([["E-1"], ["E-9"]]);
    };
    expect(await b.record([["E-1"], ["E-2"]])).toEqual({ kind: "late" });
    expect(await b.changes()).toEqual(["2 E-9 staged"]);
  });

  test("while the database is away, all goes on here; then the lists are published as they were made", async () => {
    const world = new World();
    const a = await world.desk("a");
    await a.record([["E-1"]]);
    await a.again();
    world.memory.isAway = true;
    for (const rows of [[["E-1"], ["E-2"]], [["E-2"]]] satisfies Row[][]) {
      world.pass();
      expect(await a.record(rows)).toMatchObject({ kind: "recorded", changes: 1 });
    }
    expect(await a.ages()).toEqual(["E-1 0 - 2", "E-2 1 1 -"]);
    expect(a.said.slice(0, 1)).toEqual(["away"]);
    world.memory.isAway = false;
    world.pass();
    await a.ages();
    await a.observations.close();
    const b = await world.desk("b");
    expect(await b.changes()).toEqual(["1 E-2 staged", "2 E-1 gone"]);
    expect(a.said.filter((words) => words !== "away")).toEqual([]);
  });

  test("of lists made while the database was away, the newest is compared with those of colleagues", async () => {
    const world = new World();
    const [a, b] = [await world.desk("a"), await world.desk("b")];
    await a.record([["E-1"], ["E-2"]]);
    await a.again();
    await b.ages();
    world.memory.isAway = true;
    world.pass();
    await a.record([["E-1"], ["E-2"], ["E-3"]]);
    world.pass(2);
    await a.record([["E-2"], ["E-3"], ["E-4"]]);
    world.memory.isAway = false;
    world.now -= hour;
    expect(await b.record([["E-1"], ["E-2"], ["E-5"]])).toMatchObject({ changes: 1 });
    world.pass(2);
    const expected = ["E-1 0 - 3", "E-2 0 0 -", "E-3 3 3 -", "E-4 3 3 -", "E-5 2 - 3"];
    expect(await a.ages()).toEqual(expected);
    expect(a.said.filter((words) => words !== "away")).toEqual(["dropped 1"]);
    await b.again();
    expect(await b.ages()).toEqual(expected);
    expect(await b.changes()).toEqual(await a.changes());
  });

  test("a machine with a history of its own brings its earlier dates once", async () => {
    const world = new World();
    const b = await world.desk("b", false);
    await b.record([["E-1"], ["E-2"], ["E-3"]]);
    world.pass();
    const a = await world.desk("a");
    await a.record([["E-1"], ["E-2", "A-2"], ["E-9"]]);
    world.pass();
    await b.record([["E-1"], ["E-2", "A-2"], ["E-3"], ["E-9"]]);
    await b.again();
    const expected = ["E-1 0 0 -", "E-2 0 - -", "E-3 0 0 -", "E-9 1 1 -"];
    expect(await b.ages()).toEqual(expected);
    await a.again();
    expect(await a.ages()).toEqual(expected);
    expect(await a.observations.summary("ACME", world.now)).toMatchObject({
      historySince: start,
      oldestPendingSince: start,
    });
    const appended = world.memory.calls.filter((name) => name === "append").length;
    await b.again();
    await b.ages();
    expect(world.memory.calls.filter((name) => name === "append")).toHaveLength(appended);
  });

  test("a purge removes what waits to be compared, too, and the team's history stays", async () => {
    const world = new World();
    const b = await world.desk("b", false);
    await b.record([["E-1"]]);
    world.pass();
    const a = await world.desk("a");
    await a.record([["E-1"]]);
    await a.again();
    world.memory.onCall = (name) => {
      if (name === "append") world.memory.isAway = true;
    };
    await b.again();
    expect(await b.ages()).toEqual(["E-1 1 1 -"]);
    expect(await b.observations.purge({ supplier: "ACME" })).toBe(1);
    world.memory.onCall = () => {};
    world.memory.isAway = false;
    world.pass();
    for (const machine of [b, a]) {
      await machine.again();
      expect(await machine.ages()).toEqual(["E-1 1 1 -"]);
    }
  });

  test("a held-back list is held for all, and confirmed once for all", async () => {
    const world = new World();
    const [a, b] = [await world.desk("a"), await world.desk("b")];
    await a.record([["E-1"], ["E-2"]]);
    await a.again();
    world.pass();
    expect(await a.record([])).toMatchObject({ kind: "held-back" });
    expect(await b.observations.summary("ACME", world.now)).toMatchObject({
      heldBack: { at: world.now, before: 2, now: 0 },
    });
    expect(await b.observations.confirm("ACME")).toBe(true);
    world.pass();
    expect(await a.ages()).toEqual(["E-1 0 - 1", "E-2 0 - 1"]);
    expect(await a.observations.summary("ACME", world.now)).toMatchObject({ heldBack: null });
    expect(await a.observations.confirm("ACME")).toBe(false);
  });

  test("an account that left two years ago is forgotten by all machines at the same list", async () => {
    const world = new World();
    world.isTrusted = true;
    const [a, b] = [await world.desk("a"), await world.desk("b")];
    await a.record([["E-1"], ["E-2"]]);
    await a.again();
    world.pass();
    await a.record([["E-1"]]);
    const gone = "E-2 0 - 1";
    expect(await b.ages()).toContain(gone);
    const days = async (count: number) => {
      for (let day = 0; day < count; day++) {
        world.pass(24);
        await a.record([["E-1"]]);
      }
    };
    await days(729);
    expect(await b.ages()).toContain(gone);
    await days(4);
    // A machine whose file is young has not expired anything by itself.
    expect(await b.ages()).toEqual(await a.ages());
    expect((await a.ages())?.filter((account) => account.startsWith("E-"))).toEqual(["E-1 0 0 -"]);
    world.pass();
    await b.record([["E-1"], ["E-2"]]);
    const [last] = (await a.changes()).slice(-1);
    expect(last).toMatch(/ E-2 staged$/);
    expect(await a.changes()).toEqual(await b.changes());
    expect((await alone(await world.desk("c"))).ages).toEqual(await a.ages());
  });

  test("an observation that no machine can have made changes nothing here", async () => {
    const world = new World();
    const [a, b] = [await world.desk("a"), await world.desk("b")];
    await a.record([["E-1"]]);
    await a.again();
    await b.ages();
    world.pass();
    await a.record([["E-1"], ["E-2"]]);
    const row = world.memory.lists.get("ACME")?.rows.at(-1);
    if (row === undefined) throw new Error("no row");
    Object.assign(row, { contents: row.moves });
    expect(await b.ages()).toEqual(["E-1 0 0 -"]);
    expect(b.said).toEqual(["away"]);
  });
});
