/**
 * Promise: machines of a team have at most one effect for each item, with processes of their own and a
 * real cluster: at the same moment, killed at every point, with a database that is killed, frozen or
 * restored, and with a state folder that was restored or copied.
 */
import { cp, rm } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { isWrite } from "../../faults/invariants/journal-and-ledger.ts";
import { type Witness, witness } from "../../faults/matrix/witness.ts";
import { sabotageOfTeam } from "../../faults/sabotage/team.ts";
import { listActivity } from "../../src/writes/activity.ts";
import type { Operation } from "../../src/writes/kinds/kind.ts";
import type { CommitPoint } from "../../src/writes/send/events.ts";
import type { SqlConnection } from "../../src/writes/team/connection.ts";
import { initLedger } from "../../src/writes/team/init-ledger.ts";
import { connectTo } from "../../src/writes/team/postgres.ts";
import { type Cluster, clusterPrograms, startCluster } from "../helpers/cluster.ts";
import { runCommand } from "../helpers/command.ts";
import { account } from "../helpers/desk.ts";
import { journalFolder } from "../helpers/folders.ts";
import { poolerProgram, startPooler } from "../helpers/pooler.ts";
import { startProcess } from "../helpers/process.ts";
import { openSandbox, type TestSandbox } from "../helpers/service.ts";
import { world } from "../helpers/world.ts";
import type { DriverInput } from "../writes/driver.ts";
import { asOwner } from "../writes/team/sql-world.ts";
import { instruction, journalIn } from "../writes/writing.ts";

if (poolerProgram === null)
  console.warn(
    "SKIPPED: pgbouncer is not on this machine, so no machine of a team is behind a pooler.",
  );
if (clusterPrograms === null)
  console.warn("SKIPPED: PostgreSQL is not on this machine, so no machines of a team run.");

const ran = describe.skipIf(clusterPrograms === null);

/** Number of machines that act at the same moment. */
const many = 50;

const schema = "machines";
let cluster: Cluster;
let owner: SqlConnection;
let sandbox: TestSandbox;
let watch: Witness;
/** Number of writes that arrived while another one had no answer. */
let overlaps = 0;

const connect = () =>
  connectTo({
    address: {
      ...{ host: "127.0.0.1", port: cluster.port, database: "postgres", user: "owner", schema },
      isEncrypted: false,
    },
    ca: undefined,
    login: async () => ({ user: "owner", password: null }),
  })();

if (clusterPrograms !== null) {
  beforeAll(async () => {
    cluster = await startCluster();
    owner = await connect();
    await initLedger(asOwner(owner), { host: "127.0.0.1", schema });
    for (let n = 0; n < many; n++)
      await owner.query(`CREATE ROLE "op${n}" LOGIN IN ROLE "${schema}_team"`);
  });

  beforeEach(async () => {
    watch = witness(() => {});
    overlaps = 0;
    const arrived: Witness["arrived"] = (arrival) => {
      const open = watch.seen.filter(
        ({ endpoint, answered }) => isWrite(endpoint) && answered === null,
      );
      if (isWrite(arrival.endpoint) && open.length > 0) overlaps += 1;
      watch.arrived(arrival);
    };
    sandbox = await openSandbox({ suppliers: [supplier], observer: { ...watch, arrived } });
    // A session that was frozen can carry out a call that came before, and would miss the entries.
    await owner.query(
      "SELECT pg_terminate_backend(pid, 4000) FROM pg_stat_activity WHERE usename LIKE 'op%'",
    );
    await owner.query(
      `TRUNCATE ${schema}.event, ${schema}.account_lock, ${schema}.item, ${schema}.entry, ${schema}.run, ${schema}.journal`,
    );
  });

  afterAll(async () => {
    await owner.close(true);
    cluster[Symbol.dispose]();
  });
}

const supplier = { code: "BULK", status: "Ongoing", imported: 500, staged: 3 } as const;

const teamAs = (n: number, port = cluster.port) =>
  `postgresql://op${n}@127.0.0.1:${port}/postgres?schema=${schema}`;

/** Opens a machine with a state folder and the login of its number. Default: the cluster's port. */
async function machine(n: number, port?: number) {
  const desk = await world({
    service: sandbox,
    env: {
      SUPPLYLINE_ENVIRONMENT: "sandbox",
      SUPPLYLINE_TEAM: teamAs(n, port),
      SUPPLYLINE_MACHINE: `machine-${n}`,
      SUPPLYLINE_PERSON: `op${n}`,
    },
  });
  const run = async (...words: readonly string[]) => {
    await using child = await desk.spawn(words);
    child.endInput();
    return await child.result;
  };
  return { ...desk, run };
}

/** The effects of requests, one key for each. */
const effects = () =>
  sandbox
    .ledger()
    .filter(({ cause }) => cause === "request")
    .map(({ identifier, key }) => `${identifier} ${key}`);

const pay = [
  ...["payment-instructions", "create", "BULK", "BULK-0000001", "--vendor", "GOODPAY"],
  ...["--reference", "R-1", "--type", "CARD", "--settle", "0s", "--yes"],
];

const payAs = (reference: string) => pay.map((word) => (word === "R-1" ? reference : word));

const paymentsCsv = (rows: number) =>
  [
    "import_supplier,external_account_number,vendor,reference,type",
    ...Array.from({ length: rows }, (_, at) => `BULK,${account(at + 1)},GOODPAY,R-${at},CARD`),
  ].join("\n");

const bulk = ["bulk", "run", "payment-instructions", "--from", "p.csv", "--yes"];

const stateOfEntries = async () =>
  (await owner.query(`SELECT state, count(*)::int AS n FROM ${schema}.entry GROUP BY state`)).map(
    ({ state, n }) => `${state} ${n}`,
  );

/** Waits until a condition holds, however busy the machine is. Fails when the program that brings it about has ended. */
async function until(
  what: string,
  holds: () => boolean,
  { result }: { readonly result: Promise<unknown> },
): Promise<void> {
  let end = "";
  result.then(
    (one) => {
      end = JSON.stringify(one);
    },
    (error) => {
      end = String(error);
    },
  );
  while (!holds()) {
    if (end !== "") throw new Error(`The program has ended without ${what}: ${end}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const begun = (running: { readonly result: Promise<unknown> }) =>
  until("20 effects", () => effects().length > 20, running);

const distinct = () => ({ all: effects().length, distinct: new Set(effects()).size });

ran("machines of a team", () => {
  test("of fifty processes with one payment, one sends it", async () => {
    const machines = await Promise.all(Array.from({ length: many }, (_, n) => machine(n)));
    const codes = (await Promise.all(machines.map(({ run }) => run(...pay)))).map(
      ({ code }) => code,
    );
    expect(effects()).toHaveLength(1);
    expect(codes.filter((code) => code === 0)).toHaveLength(1);
    expect(codes.filter((code) => code === 2)).toHaveLength(many - 1);
  });

  test("of two machines that run one file at once, each row is sent by one", async () => {
    const [one, other] = [await machine(0), await machine(1)];
    for (const desk of [one, other]) await desk.file("p.csv", paymentsCsv(400));
    await Promise.all([one.run(...bulk), other.run(...bulk)]);
    expect(distinct()).toEqual({ all: 400, distinct: 400 });
  });

  test("a state folder restored from a backup of mid-run sends no row again", async () => {
    sandbox.setFaults(["latency=60ms"]);
    const one = await machine(0);
    await one.file("p.csv", paymentsCsv(200));
    const backup = join(journalFolder(), "state");
    {
      await using running = await one.spawn(bulk);
      await begun(running);
      await cp(one.folders.state, backup, { recursive: true });
      await running.result;
    }
    sandbox.setFaults([]);
    expect(distinct()).toEqual({ all: 200, distinct: 200 });
    await rm(one.folders.state, { recursive: true });
    await cp(backup, one.folders.state, { recursive: true });
    const [run] = await one.json(["bulk", "list"]);
    await one.run("activity", "repair", "--reason", "restored");
    await one.run("bulk", "resume", run.run, "--yes");
    expect(distinct()).toEqual({ all: 200, distinct: 200 });
  });

  test("a cluster that is killed in mid-run stops the run, which is resumed without a second effect", async () => {
    sandbox.setFaults(["latency=60ms"]);
    const one = await machine(0);
    await one.file("p.csv", paymentsCsv(200));
    await using running = await one.spawn(bulk);
    await begun(running);
    cluster.kill();
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    cluster.start();
    await owner.close(true);
    owner = await connect();
    const { code } = await running.result;
    expect(code).toBe(0);
    expect(distinct()).toEqual({ all: 200, distinct: 200 });
    expect(await stateOfEntries()).toEqual(["confirmed 200"]);
  });

  test("sessions of the database that are frozen in mid-run are replaced, and no row is sent twice", async () => {
    sandbox.setFaults(["latency=60ms"]);
    const one = await machine(0);
    await one.file("p.csv", paymentsCsv(100));
    await using running = await one.spawn(bulk);
    await begun(running);
    const sessions = await owner.query("SELECT pid FROM pg_stat_activity WHERE usename = 'op0'");
    expect(sessions.length).toBeGreaterThan(0);
    for (const { pid } of sessions) process.kill(Number(pid), "SIGSTOP");
    await new Promise((resolve) => setTimeout(resolve, 7_000));
    for (const { pid } of sessions) process.kill(Number(pid), "SIGCONT");
    const { code } = await running.result;
    expect(code).toBe(0);
    expect(distinct()).toEqual({ all: 100, distinct: 100 });
  });

  test("a cluster that is frozen in mid-run sends no row twice", async () => {
    sandbox.setFaults(["latency=60ms"]);
    const one = await machine(0);
    await one.file("p.csv", paymentsCsv(100));
    await using running = await one.spawn(bulk);
    await begun(running);
    cluster.signal("SIGSTOP");
    await new Promise((resolve) => setTimeout(resolve, 6_000));
    cluster.signal("SIGCONT");
    const { code } = await running.result;
    expect(code).toBe(0);
    expect(distinct()).toEqual({ all: 100, distinct: 100 });
  });
});

describe.skipIf(clusterPrograms === null || poolerProgram === null)(
  "machines of a team behind a pooler in transaction mode",
  () => {
    test("share a file, and the sessions of the database", async () => {
      await using pooler = await startPooler(cluster, ["op0", "op1"]);
      const sharing = [machine(0, pooler.port), machine(0, pooler.port), machine(1, pooler.port)];
      const machines = await Promise.all(sharing);
      for (const desk of machines) await desk.file("p.csv", paymentsCsv(150));
      await Promise.all(machines.map(({ run }) => run(...bulk)));
      expect(distinct()).toEqual({ all: 150, distinct: 150 });
      expect(await stateOfEntries()).toContain("confirmed 150");
      const [sessions] = await owner.query(
        "SELECT count(*)::int AS n FROM pg_stat_activity WHERE usename IN ('op0', 'op1')",
      );
      expect(sessions?.n).toBeLessThanOrEqual(2);
    });
  },
);

ran("a ledger that was restored from a backup", () => {
  test("bars writes until every machine has reported back or is dismissed, and no payment is sent twice", async () => {
    const [one, two, lost] = [await machine(0), await machine(1), await machine(2)];
    for (const [desk, reference] of [
      [lost, "R-3"],
      [two, "R-2"],
      [one, "R-1"],
    ] as const)
      expect((await desk.run(...payAs(reference))).code).toBe(0);
    const [last] = await owner.query(`SELECT max(id) AS r FROM ${schema}.entry`);
    for (const [table, id] of [
      ["event", "entry"],
      ["account_lock", "entry"],
      ["item", "entry"],
      ["entry", "id"],
    ])
      await owner.query(`DELETE FROM ${schema}.${table} WHERE ${id} >= $1`, [last?.r]);
    // The machine that saw the lost entry notices the restore before it sends anything.
    const noticed = await one.run(...payAs("R-4"), "--json");
    expect(noticed.code).toBe(2);
    expect((await two.run(...payAs("R-1"))).code).toBe(2);
    expect(effects()).toHaveLength(3);
    expect((await one.run("team", "publish")).code).toBe(0);
    expect((await two.run("team", "publish")).code).toBe(0);
    const env = { ...two.env, SUPPLYLINE_TEAM: teamAs(0).replace("op0", "owner") };
    const repair = ["team", "repair", "--dismiss", "machine-2", "--reason", "lost", "--json"];
    const dismissed = await runCommand(repair, { env, folders: two.folders });
    expect(JSON.parse(dismissed.stdout)).toEqual({ owing: [] });
    expect((await two.run(...payAs("R-1"))).code).toBe(2);
    expect((await two.run(...payAs("R-5"))).code).toBe(0);
    expect(effects()).toHaveLength(4);
  });
});

/** The state in the journal after the next start, and if a colleague may send. */
const killedAt: Readonly<Partial<Record<CommitPoint, readonly [string, number]>>> = {
  "intent-committed": ["unsent", 0],
  claiming: ["unsent", 0],
  claimed: ["unsent", 0],
  "attempt-committed": ["unknown", 2],
  answered: ["unknown", 2],
  "outcome-committed": ["confirmed", 2],
  "outcome-reported": ["confirmed", 2],
};

/** Drives a process of machine 0 that pays once. `client` names a sabotage. Default: none. */
async function drive(folder: string, more: Partial<DriverInput>, client?: string) {
  const { operation, body } = instruction();
  const text = new TextDecoder().decode(body).replace("ACME", "BULK").replace("EXT-", "BULK-");
  const input: DriverInput = {
    ...{ folder, baseUrl: sandbox.baseUrl, apiKey: sandbox.apiKey, team: teamAs(0) },
    requests: [{ operation, body: text }],
    ...more,
  };
  const root = join(import.meta.dirname, "../..");
  const loader =
    client === undefined ? [] : ["--import", pathToFileURL(`${root}/faults/sabotage/load.ts`).href];
  const driver = join(root, "test/writes/driver.ts");
  await using child = startProcess([process.execPath, ...loader, driver, JSON.stringify(input)], {
    env: {
      ...process.env,
      ...{ SUPPLYLINE_MACHINE: "machine-0", SUPPLYLINE_PERSON: "op0" },
      CAMPAIGN_SABOTAGE: client ?? "",
    },
  });
  child.endInput();
  return await child.result;
}

/** A payment or a statement for the first account. */
const writeOf = (operation: Operation, reference: string) => ({
  operation,
  body: JSON.stringify({
    ...{ import_supplier: "BULK", external_account_number: account(1) },
    ...(operation === "payment-instructions create"
      ? { vendor: "GOODPAY", reference, type: "CARD" }
      : { statements: [{ ...statement, statement_id: reference, number: reference }] }),
  }),
});

const statement = {
  ...{ bill_period_from_date: "2026-10-01", bill_period_to_date: "2026-10-31" },
  ...{ issued_date: "2026-11-01", gross_amount: 10 },
};

ran("processes that send to one account at once", () => {
  test.each(["payment-instructions create", "statements create"] as const)(
    "of 25 parallel sends of one write (%s) in each of two processes, one is sent",
    async (operation) => {
      const requests = Array.from({ length: 25 }, () => writeOf(operation, "R-1"));
      const both = [0, 1].map((n) =>
        drive(journalFolder(), { requests, together: true, team: teamAs(n) }),
      );
      await Promise.all(both);
      expect(effects()).toHaveLength(1);
      expect(watch.seen.filter(({ endpoint }) => isWrite(endpoint))).toHaveLength(1);
    },
  );

  test("six payments of each of two machines arrive one after another", async () => {
    const both = [0, 1].map((n) => {
      const requests = Array.from({ length: 6 }, (_, at) =>
        writeOf("payment-instructions create", `R-${n}-${at}`),
      );
      return drive(journalFolder(), { requests, together: true, team: teamAs(n) });
    });
    await Promise.all(both);
    expect(distinct()).toEqual({ all: 12, distinct: 12 });
    expect(overlaps).toBe(0);
  });
});

ran("a process of a team that is killed", () => {
  test.each(Object.entries(killedAt))(
    "at %s has at most one effect with a colleague",
    async (at, [own, colleague]) => {
      const folder = journalFolder();
      expect((await drive(folder, { at: at as CommitPoint })).signal).toBe("SIGKILL");
      const before = effects().length;
      await drive(folder, { requests: [] });
      const journal = await journalIn(folder);
      expect(listActivity(journal).map(({ outcome }) => outcome)).toEqual([own]);
      const { code } = await (await machine(1)).run(...pay);
      expect(code).toBe(colleague);
      expect(effects().length).toBeLessThanOrEqual(1);
      expect(effects().length).toBeGreaterThanOrEqual(before);
    },
  );
});

ran("a client of a team that is made wrong on purpose", () => {
  test("has a second effect if it ignores the answer of the ledger", async () => {
    expect((await (await machine(1)).run(...pay)).code).toBe(0);
    const { stdout } = await drive(journalFolder(), {}, sabotageOfTeam("answer").name);
    expect(stdout).toContain("confirmed");
    expect(effects()).toHaveLength(2);
  });

  test.each([
    ["waits for an account that a colleague's entry has", undefined, 201, "4s"],
    // The process starts within this time, also on a busy machine.
    ["does not wait for it if it ignores busy", sabotageOfTeam("busy").name, null, "40s"],
  ])("%s", async (_, client, answered, latency) => {
    sandbox.setFaults([`latency=${latency}@payment-instructions`]);
    const payments = () => watch.seen.filter(({ endpoint }) => endpoint === "payment-instructions");
    await using colleague = await (await machine(1)).spawn(payAs("R-2"));
    await until("a payment", () => payments().length === 1, colleague);
    const own = drive(journalFolder(), {}, client);
    await until("a payment", () => payments().length === 2, { result: own });
    // The request of the colleague has its answer before another one to the account arrives.
    expect(payments()[0]?.answered).toBe(answered);
    await Promise.all([own, colleague.result]);
  });

  test("has a second effect if it publishes an unknown outcome as unsent", async () => {
    const folder = journalFolder();
    await drive(folder, { at: "answered" });
    expect(effects()).toHaveLength(1);
    await drive(folder, { requests: [] }, sabotageOfTeam("unsent").name);
    expect((await (await machine(1)).run(...pay)).code).toBe(0);
    expect(effects()).toHaveLength(2);
  });
});
