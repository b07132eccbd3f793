/** Promise: the SQL of a team's memory keeps the contract that the histories rely on, in PGlite. */
import { ledgerConnection } from "../../../src/writes/team/connection.ts";
import { sqlMemory } from "../../../src/writes/team/sql-memory.ts";
import { TestMemory } from "./memory-memory.ts";
import { pgliteDatabase } from "./pglite.ts";
import { begun, listsContract, type OpenTestMemory, row } from "./shared-lists.ts";
import { type SqlWorld, sqlWorld } from "./sql-world.ts";

const database = await pgliteDatabase();

/** Opens the memory of machines in a ledger. */
function memoryIn(world: SqlWorld): OpenTestMemory {
  return async (machine) => {
    const login = await world.login(machine);
    const memory = sqlMemory(ledgerConnection(world.connectAs(login)), {
      host: "test",
      schema: world.schema,
      service: "https://service.example",
      names: { machine, person: `person of ${machine}` },
    });
    onTestFinished(() => memory.close());
    return memory;
  };
}

describe("the memory of the tests", () => {
  listsContract(async () => {
    const memory = new TestMemory();
    return async (machine) => memory.as(machine);
  });
});

describe("the memory in a database", () => {
  listsContract(async () => memoryIn(await sqlWorld(database)));

  test("one machine at a time publishes a snapshot, when one is due", async () => {
    const world = await sqlWorld(database);
    const [a, b] = [await memoryIn(world)("a"), await memoryIn(world)("b")];
    const first = await begun(a);
    const second = row(2, { entries: 5_000 });
    await a.lists.append("ACME", first, [second], { firstAt: 900 });
    expect(await a.lists.beginFold("ACME", 1, 3)).toBe(false);
    expect(await a.lists.beginFold("ACME", 2, 1_000_000)).toBe(false);
    expect(await a.lists.beginFold("ACME", 2, 3)).toBe(true);
    expect(await b.lists.beginFold("ACME", 2, 3)).toBe(false);
    const id = crypto.randomUUID();
    await a.lists.endFold("ACME", second, id, 1);
    expect((await b.lists.since("ACME", null, null))?.snapshot).toMatchObject({ number: 1 });
    await a.lists.putPart("ACME", id, 0, new Uint8Array([9]));
    await a.lists.endFold("ACME", second, id, 1);
    const page = await b.lists.since("ACME", null, null);
    expect(page?.snapshot).toEqual({ id, parts: 1, number: 2 });
    expect(page?.rows.map(({ number }) => number)).toEqual([2]);
    const [parts] = await world.run("SELECT count(*)::int AS n FROM LEDGER.list_part");
    expect(parts?.n).toBe(1);
    expect((await b.lists.since("ACME", first, null))?.snapshot).toBeNull();
  });

  test("the owner's retention keeps a day's last list, and machines that were away begin with the snapshot", async () => {
    const world = await sqlWorld(database);
    const a = await memoryIn(world)("a");
    const first = await begun(a);
    const rows = [row(2), row(3), row(4)];
    await a.lists.append("ACME", first, rows, { firstAt: 900 });
    const id = crypto.randomUUID();
    await a.lists.putPart("ACME", id, 0, new Uint8Array([9]));
    await a.lists.endFold("ACME", row(4, { token: rows[2]?.token ?? "" }), id, 1);
    await world.run(
      "UPDATE LEDGER.observation SET recorded_at = recorded_at - interval '91 days' WHERE number < 4",
    );
    await world.retain();
    const left = await world.run(
      "SELECT number::int AS n, moves IS NULL AS empty FROM LEDGER.observation ORDER BY number",
    );
    expect(left).toEqual([
      { n: 3, empty: true },
      { n: 4, empty: false },
    ]);
    expect((await a.lists.since("ACME", first, null))?.snapshot?.number).toBe(4);
    expect((await a.lists.since("ACME", rows[1] ?? null, null))?.snapshot).toBeNull();
  });

  test("a member changes no row by itself", async () => {
    const world = await sqlWorld(database);
    const connect = world.connectAs(await world.login("member"));
    const tables = ["list", "observation", "held_list", "list_part", "list_machine", "cohort"];
    for (const table of tables)
      for (const sql of [
        `DELETE FROM "${world.schema}".${table}`,
        `TRUNCATE "${world.schema}".${table}`,
      ]) {
        const connection = await connect();
        await expect(connection.query(sql)).rejects.toMatchObject({ code: "42501" });
        await connection.close(true);
      }
  });
});
