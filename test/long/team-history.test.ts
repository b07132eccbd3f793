/**
 * Promise: machines that record at once into a real database agree, also if they are killed while they
 * append, and if the cluster stops in between.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AccountRowReader } from "../../src/accounts/ingest/reader.ts";
import { systemClock } from "../../src/api/clock.ts";
import type { Observations } from "../../src/triage/observations/observations.ts";
import { openObservations } from "../../src/triage/observations/open-observations.ts";
import { initLedger } from "../../src/writes/team/init-ledger.ts";
import { connectTo, openMemory } from "../../src/writes/team/postgres.ts";
import { type Cluster, clusterPrograms, startCluster } from "../helpers/cluster.ts";
import { startProcess } from "../helpers/process.ts";
import { openWire } from "../helpers/wire.ts";
import { bodyOfHour } from "../triage/observations/changes-of-an-hour.ts";
import { Model } from "../triage/observations/model.ts";
import { accessTo, rowsAt } from "./history-machine.ts";

if (clusterPrograms === null)
  console.warn("SKIPPED: PostgreSQL is not on this machine, so no history is in a real cluster.");

const ran = describe.skipIf(clusterPrograms === null);
const origin = "https://service.example";

let cluster: Cluster;

if (clusterPrograms !== null) {
  beforeAll(async () => {
    cluster = await startCluster();
    await initLedger(connectTo(accessTo(cluster.port, "owner")), {
      host: "test",
      schema: "tested",
    });
    const owner = await connectTo(accessTo(cluster.port, "owner"))();
    await owner.script('CREATE ROLE member LOGIN IN ROLE "tested_team"');
    await owner.close(false);
  });
  afterAll(() => cluster[Symbol.dispose]());
}

async function opened(
  folder: string,
  machine: string,
  port: number = cluster.port,
): Promise<Observations> {
  const names = { machine, person: machine };
  const access = accessTo(port, "member");
  const open = async () => openMemory(access, { service: origin, names });
  const driver = { address: "tested", names, open };
  const team = { load: async () => driver, isFollowing: false };
  return openObservations({ folder, origin, clock: systemClock, recording: true, team });
}

/** Returns the accounts of one machine that reads the lists of the sequence in order. */
async function replayed(supplier: string) {
  const owner = await connectTo(accessTo(cluster.port, "owner"))();
  const rows = await owner.query(
    `SELECT o.at::float8 AS at FROM tested.observation o JOIN tested.list l ON l.id = o.list
      WHERE l.supplier = $1 AND o.dates IS NULL ORDER BY o.number`,
    [supplier],
  );
  await owner.close(false);
  const model = new Model();
  const times = rows.map(({ at }) => Number(at));
  for (const at of times) model.record(rowsAt(at), at);
  const accounts = [...model.accounts].map(([number, { state, pendingSince, leftAt }]) =>
    [
      number,
      state === "pending" ? pendingSince : Number.NaN,
      state === "gone" ? leftAt : Number.NaN,
    ].join(" "),
  );
  return { times, accounts: accounts.toSorted() };
}

async function agesOf(observations: Observations, supplier: string): Promise<readonly string[]> {
  const ages = await observations.ages(supplier);
  if (ages === null) return [];
  return Array.from({ length: ages.rows }, (_, row) =>
    [ages.externalAt(row), ages.pendingSince(row), ages.goneAt(row)].join(" "),
  ).toSorted();
}

async function expectAgreement(supplier: string, folders: readonly string[]): Promise<number> {
  // Each machine brings what it has; then each reads what the others have brought.
  for (const round of [1, 2])
    for (const [n, folder] of folders.entries()) {
      const machine = await opened(folder, `m${n} ${round}`);
      await machine.ages(supplier);
      await machine.close();
    }
  const { times, accounts } = await replayed(supplier);
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  for (const [n, folder] of folders.entries()) {
    const machine = await opened(folder, `m${n}`);
    expect(await agesOf(machine, supplier)).toEqual(accounts);
    await machine.close();
  }
  return times.length;
}

function newFolders(number: number): readonly string[] {
  const folders = Array.from({ length: number }, () =>
    mkdtempSync(join(tmpdir(), "supplyline-history-")),
  );
  onTestFinished(() => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });
  return folders;
}

/** Starts a process that records lists of a supplier until it is killed. */
function startMachine(folder: string, supplier: string, name: string) {
  const file = new URL("./history-machine.ts", import.meta.url).pathname;
  const words = [file, String(cluster.port), folder, supplier, name];
  const { stdout, kill, result } = startProcess([process.execPath, ...words]);
  return {
    /** Resolves when the process has recorded this many more lists. */
    recorded: async (number: number) => {
      const wanted = stdout.lines().length + number;
      await stdout.waitForText(new RegExp(`^(.*\\n){${wanted}}`));
    },
    kill: async () => {
      kill("SIGKILL");
      await result;
    },
  };
}

ran("the history of a team in a cluster", () => {
  test("ten processes that record at once and are killed agree with one that saw every list", async () => {
    const folders = newFolders(10);
    for (const round of [1, 2]) {
      const machines = folders.map((folder, n) => startMachine(folder, "KILLED", `m${n} ${round}`));
      await Promise.all(machines.map((machine, n) => machine.recorded(2 + (n % 3))));
      await Promise.all(machines.map(({ kill }) => kill()));
    }
    expect(await expectAgreement("KILLED", folders)).toBeGreaterThan(20);
  });

  test("a cluster that stops while machines record loses no list of theirs for good", async () => {
    const folders = newFolders(3);
    const machines = folders.map((folder, n) => startMachine(folder, "STOPPED", `m${n}`));
    await Promise.all(machines.map((machine) => machine.recorded(2)));
    cluster.kill();
    await Promise.all(machines.map((machine) => machine.recorded(2)));
    cluster.start();
    await Promise.all(machines.map((machine) => machine.recorded(2)));
    await Promise.all(machines.map(({ kill }) => kill()));
    expect(await expectAgreement("STOPPED", folders)).toBeGreaterThan(6);
  });

  test("an hour of a million accounts takes at most 100 kB to the database, and from it", async () => {
    const [one = "", other = ""] = newFolders(2);
    const supplier = `HOUR-${crypto.randomUUID()}`;
    const wire = await openWire(cluster.port);
    const work = async (folder: string, use: (machine: Observations) => Promise<unknown>) => {
      const machine = await opened(folder, folder === one ? "one" : "other", wire.port);
      const before = { ...wire.carried };
      await use(machine);
      await machine.close();
      const { clients, server } = wire.carried;
      return { clients: clients - before.clients, server: server - before.server };
    };
    const record = (when: "before" | "after") => async (machine: Observations) => {
      const reader = new AccountRowReader();
      const batches = [reader.push(bodyOfHour(when)), reader.end().batch];
      const recorder = machine.begin(supplier, Date.now());
      for (const batch of batches) if (batch !== null) await recorder.take(batch);
      return recorder.finish();
    };
    await work(one, record("before"));
    const begun = await work(other, (machine) => machine.ages(supplier));
    const published = await work(one, record("after"));
    const followed = await work(other, async (machine) => {
      expect(await machine.changes(supplier, null)).toHaveLength(10_000);
    });
    await wire[Symbol.asyncDispose]();
    expect(begun.server).toBeLessThan(27e6);
    expect(published.clients).toBeLessThan(100_000);
    expect(followed.server).toBeLessThan(100_000);
  });
});
