/** Commands of several machines of a team, and the ages, changes and cohorts that they share. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../../src/api/clock.ts";
import { openSandbox } from "../helpers/service.ts";
import { world } from "../helpers/world.ts";
import { TestMemory } from "../writes/team/memory-memory.ts";

const address = "postgresql://127.0.0.1:1/ledger";

/** A sandbox and a team, with machines whose state folders are new. */
async function openTeam() {
  const supplier = { code: "BULK", status: "Ongoing", imported: 3, staged: 2 } as const;
  const sandbox = await openSandbox({ suppliers: [supplier] });
  const memory = new TestMemory();
  const machine = async (name: string, team: string | undefined = address) => {
    const names = { SUPPLYLINE_MACHINE: name, SUPPLYLINE_PERSON: `person of ${name}` };
    const env = { ...sandbox.env, SUPPLYLINE_ENVIRONMENT: "sandbox", ...names };
    const desk = await world({
      service: null,
      clock: systemClock,
      env: {
        ...env,
        SUPPLYLINE_OBSERVE: "1",
        ...(team === "" ? {} : { SUPPLYLINE_TEAM: team }),
      },
    });
    const run = (words: readonly string[]) =>
      desk.run(words, { loadMemory: async () => () => memory.as(name) });
    const json = async (words: readonly string[]) =>
      JSON.parse((await run([...words, "--json"])).stdout);
    return { run, json };
  };
  return { memory, machine };
}

const list = ["accounts", "list", "BULK", "--quiet"];

test("a machine with an empty state folder knows since when a colleague saw an account as pending", async () => {
  const { machine } = await openTeam();
  const [one, other] = [await machine("m1"), await machine("m2")];
  expect((await one.run(list)).code).toBe(0);
  const [shown] = [await other.json(["observations", "show", "BULK"])];
  expect(shown).toMatchObject({
    ...{ observations: 1, imported: 3, pending: 2, machines: 1 },
    ...{ machine: "m1", person: "person of m1", unpublished: 0, left_out: 0 },
  });
  const ages = (of: readonly { pending_since: string | null }[]) =>
    of.flatMap(({ pending_since: since }) => (since === null ? [] : [since]));
  const [own, theirs] = [
    await one.json(["accounts", "list", "BULK", "--ages"]),
    await other.json(["accounts", "list", "BULK", "--ages"]),
  ];
  expect(ages(own)).toHaveLength(2);
  expect(ages(theirs)).toEqual(ages(own));
  expect(await one.json(["observations", "show", "BULK"])).toMatchObject({ machines: 2 });
});

test("a job judges ages by the team's history, without a folder from an earlier job", async () => {
  const { machine } = await openTeam();
  await (await machine("m1")).run(list);
  const check = ["check", "BULK", "--gone"];
  const isFirst = "This is the first stored list";
  expect((await (await machine("alone", "")).run(check)).stderr).toContain(isFirst);
  const job = await machine("runner-1");
  const { code, stderr } = await job.run(check);
  expect({ code, isFirst: stderr.includes(isFirst) }).toEqual({ code: 0, isFirst: false });
  expect((await job.json(["observations", "show", "BULK"])).observations).toBe(2);
});

test("a report of a machine with an empty state folder has the team's figures, and by how many machines", async () => {
  const { machine } = await openTeam();
  await (await machine("m1")).run(list);
  const job = await machine("runner-1");
  const {
    before,
    gone,
    oldest_pending: oldest,
  } = (await job.json(["report", "BULK"])).suppliers[0];
  expect(before).toMatchObject({ imported: 3, pending: 2 });
  expect({ gone: gone.count, oldest: oldest.length }).toEqual({ gone: 0, oldest: 2 });
  const { stdout } = await job.run(["report", "BULK"]);
  expect(stdout).toMatch(/Pending longest: .*, by 2 machines\./);
});

test("a purge deletes what this machine has, and the team keeps its history", async () => {
  const { machine } = await openTeam();
  const one = await machine("m1");
  await one.run(list);
  const asked = await one.run(["observations", "purge", "BULK"]);
  expect(asked.code).toBe(2);
  const purged = await one.run(["observations", "purge", "BULK", "--yes"]);
  expect(purged).toMatchObject({ code: 0, stdout: "Deleted the observations of 1 supplier.\n" });
  expect(await one.json(["observations", "show", "BULK"])).toMatchObject({ observations: 1 });
});

test("the fields of a team can be chosen", async () => {
  const { machine } = await openTeam();
  const one = await machine("m1");
  await one.run(list);
  const words = ["observations", "show", "BULK", "--columns", "import_supplier,machines"];
  expect(await one.json(words)).toEqual({ import_supplier: "BULK", machines: 1 });
  expect((await (await machine("alone", "")).run(words)).code).not.toBe(0);
});

test("while the database is away, a list and its ages are those of this machine, with one line", async () => {
  const { memory, machine } = await openTeam();
  const one = await machine("m1");
  await one.run(list);
  memory.isAway = true;
  const { code, stderr, stdout } = await one.run(["accounts", "list", "BULK", "--ages", "--json"]);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toHaveLength(5);
  expect(stderr.match(/Ages and changes are those of this machine\./g)).toHaveLength(1);
  expect((await one.json(["observations", "show", "BULK"])).unpublished).toBe(1);
  memory.isAway = false;
  expect((await one.json(["observations", "show", "BULK"])).unpublished).toBe(0);
});

test("without a team, nothing of it is loaded or printed", async () => {
  const { memory, machine } = await openTeam();
  const alone = await machine("m1", "");
  await alone.run(list);
  const shown = await alone.json(["observations", "show", "BULK"]);
  expect(Object.keys(shown)).not.toContain("machines");
  expect(memory.calls).toEqual([]);
});

describe("cohorts of a team", () => {
  const source = (...numbers: readonly string[]) => {
    const file = join(process.env.TMPDIR ?? "/tmp", `cohort-${crypto.randomUUID()}.txt`);
    writeFileSync(file, numbers.join("\n"));
    return file;
  };

  test("a shared cohort works by name on another machine", async () => {
    const { machine } = await openTeam();
    const [one, other] = [await machine("m1"), await machine("m2")];
    const file = source("EXT-0000001", "EXT-0000002");
    const add = ["cohorts", "add", "wave-3", "BULK", "--source", file, "--team"];
    expect((await one.run(add)).code).toBe(0);
    expect(await other.json(["cohorts", "list"])).toMatchObject([
      { name: "wave-3", accounts: 2, by: "person of m1", machine: "m1", stored: false },
    ]);
    const compared = await other.json(["reconcile", "BULK", "--cohort", "wave-3"]);
    expect(compared.source_rows).toBe(2);
    expect(await other.json(["cohorts", "list"])).toMatchObject([{ stored: true }]);
    expect((await other.run(add)).code).toBe(0);
  });

  test("a name that the team has with another list is refused, and nothing is stored", async () => {
    const { machine } = await openTeam();
    const [one, other] = [await machine("m1"), await machine("m2")];
    const add = (file: string, ...more: string[]) => [
      "cohorts",
      "add",
      "wave-3",
      "BULK",
      "--source",
      file,
      ...more,
    ];
    await one.run(add(source("EXT-0000001"), "--team"));
    const refused = await other.run(add(source("EXT-0000002"), "--team"));
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain("already exists");
    expect(await other.json(["cohorts", "list"])).toMatchObject([{ stored: false }]);
    expect((await (await machine("m3", "")).run(add(source("EXT-0000001"), "--team"))).code).toBe(
      2,
    );
  });

  test("while the database is away, the cohorts of this machine are listed, and another is not unknown", async () => {
    const { memory, machine } = await openTeam();
    const one = await machine("m1");
    await one.run(["cohorts", "add", "own", "BULK", "--source", source("EXT-0000001")]);
    memory.isAway = true;
    const listed = await one.run(["cohorts", "list", "--json"]);
    expect(JSON.parse(listed.stdout)).toMatchObject([{ name: "own", by: null, stored: true }]);
    expect(listed.stderr).toContain("The team's cohorts are missing.");
    expect((await one.run(["cohorts", "show", "theirs"])).code).toBe(6);
  });
});
