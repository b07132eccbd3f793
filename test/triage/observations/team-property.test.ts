/**
 * Promise: whatever ten machines of a team record, in whatever order, with the database away in between and
 * machines that end, all of them have in the end what one machine has that read the lists of the team's
 * sequence in order.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Observations } from "../../../src/triage/observations/observations.ts";
import { openObservations } from "../../../src/triage/observations/open-observations.ts";
import { batchOf, type Row } from "../../accounts/rows.ts";
import { clockOf } from "../../helpers/clock.ts";
import {
  array,
  assert,
  asyncProperty,
  constantFrom,
  integer,
  record,
  tuple,
} from "../../helpers/fast-check.ts";
import { TestMemory } from "../../writes/team/memory-memory.ts";
import { Model } from "./model.ts";

const minute = 60_000;
const start = Date.parse("2026-01-15T09:00:00Z");
const machines = 10;

const rowOf = tuple(integer({ min: 0, max: 8 }), constantFrom(null, null, "A-1", "A-2")).map(
  ([number, service]): Row => [`E-${number}`, service],
);
const step = record({
  machine: integer({ min: 0, max: machines - 1 }),
  rows: array(rowOf, { minLength: 1, maxLength: 9 }),
  /** The load began before the one that another machine recorded last. */
  isLate: constantFrom(false, false, false, true),
  /** Another machine records a list while this one is compared. */
  crossing: constantFrom(null, null, 0, 5),
  event: constantFrom("none", "none", "away", "back", "killed", "killed", "read"),
});

class Machine {
  readonly folder = mkdtempSync(join(tmpdir(), "supplyline-team-property-"));
  observations: Observations | null = null;

  async open(world: World, index: number): Promise<Observations> {
    const name = `m${index}`;
    const driver = {
      address: "test/ledger",
      names: { machine: name, person: name },
      open: async () => {
        const memory = world.memory.as(name);
        return memory;
      },
    };
    this.observations ??= await openObservations({
      folder: this.folder,
      origin: "https://service.example",
      clock: world.clock,
      recording: true,
      team: { load: async () => driver, isFollowing: false },
    });
    return this.observations;
  }
}

class World {
  now = start;
  readonly memory = new TestMemory();
  readonly clock = clockOf({
    now: () => this.now,
    sleep: () => Promise.withResolvers<void>().promise,
  });
  readonly machines = Array.from({ length: machines }, () => new Machine());
  /** The rows of each list by the time of its load, which is unique. */
  readonly lists = new Map<number, readonly Row[]>();

  async load(index: number, rows: readonly Row[], at: number): Promise<void> {
    const unique = [...new Map(rows.map((row) => [row[0], row])).values()];
    const time = this.lists.has(at) ? at + this.lists.size : at;
    this.lists.set(time, unique);
    const observations = await this.machines[index]?.open(this, index);
    const recorder = observations?.begin("ACME", Math.min(time, this.now));
    this.lists.set(Math.min(time, this.now), unique);
    await recorder?.take(batchOf(unique));
    await recorder?.finish();
  }

  /** Ends a machine without a farewell: what it has stored stays. */
  async end(index: number): Promise<void> {
    const machine = this.machines[index];
    await machine?.observations?.close();
    if (machine !== undefined) machine.observations = null;
  }

  dispose(): void {
    for (const { folder } of this.machines) rmSync(folder, { recursive: true, force: true });
  }
}

async function stateOf(observations: Observations) {
  const ages = await observations.ages("ACME");
  if (ages === null) return null;
  const accounts = Array.from({ length: ages.rows }, (_, row) =>
    [ages.externalAt(row), ages.pendingSince(row), ages.goneAt(row), ages.isImported(row)].join(
      " ",
    ),
  );
  const changes = await observations.changes("ACME", null);
  return {
    accounts: accounts.toSorted(),
    changes: changes
      .map(({ external, change, seenAt }) => `${seenAt} ${external} ${change}`)
      .toSorted(),
  };
}

function replayed(world: World) {
  const model = new Model();
  const rows = world.memory.lists.get("ACME")?.rows ?? [];
  const times: number[] = [];
  for (const { at, dates } of rows) {
    if (dates === null) model.record(world.lists.get(at) ?? [], at);
    times.push(at);
  }
  const accounts = [...model.accounts].map(([number, { state, pendingSince, leftAt }]) =>
    [
      number,
      state === "pending" ? pendingSince : Number.NaN,
      state === "gone" ? leftAt : Number.NaN,
      state === "imported",
    ].join(" "),
  );
  const changes = model.changes.map(
    ({ external, change, seenAt }) => `${seenAt} ${external} ${change}`,
  );
  return { times, accounts: accounts.toSorted(), changes: changes.toSorted() };
}

test("ten machines agree with one that read all lists in order", async () => {
  await assert(
    asyncProperty(array(step, { maxLength: 14 }), async (steps) => {
      const world = new World();
      try {
        for (const one of steps) {
          world.now += minute;
          if (one.event === "away") world.memory.isAway = true;
          if (one.event === "back") world.memory.isAway = false;
          const at = one.isLate ? world.now - 90_500 : world.now;
          if (one.crossing !== null && one.crossing !== one.machine) {
            const other = one.crossing;
            world.memory.onCall = async (name) => {
              if (name !== "append") return;
              world.memory.onCall = () => {};
              await world.load(other, one.rows.slice(1), world.now - 1);
            };
          }
          await world.load(one.machine, one.rows, at);
          world.memory.onCall = () => {};
          if (one.event === "killed") await world.end(one.machine);
          if (one.event === "read") await world.machines[one.machine]?.observations?.ages("ACME");
        }
        world.memory.isAway = false;
        // Everybody comes back once, and then reads what the others have brought.
        for (let round = 0; round < 2; round++)
          for (let index = 0; index < machines; index++) {
            world.now += minute;
            await world.end(index);
            await (await world.machines[index]?.open(world, index))?.ages("ACME");
            await world.end(index);
          }
        const { times, ...expected } = replayed(world);
        expect(times).toEqual(times.toSorted((a, b) => a - b));
        if (times.length === 0) return;
        for (let index = 0; index < machines; index++) {
          const observations = await world.machines[index]?.open(world, index);
          expect(await stateOf(observations as Observations)).toEqual(expected);
          await world.end(index);
        }
      } finally {
        for (let index = 0; index < machines; index++) await world.end(index);
        world.dispose();
      }
    }),
    { numRuns: 12 },
  );
});
