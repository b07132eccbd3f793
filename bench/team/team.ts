/** Notes of a profile with a team, whose ledger is in a cluster on this machine, beside the same without a team. */
import { randomUUID } from "node:crypto";
import { readdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { systemClock } from "../../src/api/clock.ts";
import { serviceKey } from "../../src/api/url.ts";
import type { TeamAccess } from "../../src/settings/team-access.ts";
import { listColleagues } from "../../src/writes/team/colleagues.ts";
import { initLedger } from "../../src/writes/team/init-ledger.ts";
import { connectTo, openLedger } from "../../src/writes/team/postgres.ts";
import { builtProgram } from "../../test/helpers/built-program.ts";
import { type Cluster, clusterPrograms, startCluster } from "../../test/helpers/cluster.ts";
import { type Folders, openFolders } from "../../test/helpers/folders.ts";
import { runCli } from "../../test/helpers/process.ts";
import { openWire } from "../../test/helpers/wire.ts";
import { byBulk } from "../bulk.ts";
import type { Benchmark, Figures } from "../measure/benchmark.ts";
import { now } from "../measure/clock.ts";
import { processorTimeOfAll } from "../measure/process-figures.ts";
import { inTurn, isSkipped, median, type Reading } from "../measure/rounds.ts";
import { accountsOf, startSandboxProcess } from "../measure/sandbox-process.ts";
import { fillLedger, type LedgerOwner, rowsReadBySeqScans, schema } from "./ledger.ts";

/** The time of a round trip to a database that is further away, in milliseconds. */
const roundTripMs = 20;

/** Number of times that the first page of Activity is read. */
const pages = 20;

const skipped = { skipped: "PostgreSQL is not on this machine" };

/** Everything of it, if there is no cluster. */
const without: Figures = {
  "notes in a second": { ours: skipped, peers: { "without a team": skipped } },
  "notes in a second, at 20 ms": { ours: skipped, peers: { "without a team": skipped } },
  "one note, more than without a team": { ours: skipped },
  "one note at 20 ms, more than 3 round trips": { ours: skipped },
  "processor time of PostgreSQL for a note": { ours: skipped },
  "the same, after a million entries": { ours: skipped, peers: { "a new ledger": skipped } },
  "rows read by scans of a whole table": { ours: skipped },
  "first page of Activity, of a million entries": { ours: skipped },
};

export const team: Benchmark = async ({ rounds, notes, accounts: entries }) => {
  const chunk = { "chunk of the driver": { ours: await chunkSize() } };
  if (clusterPrograms === null) return { ...without, ...chunk };
  using cluster = await startCluster({ fsync: "on" });
  const owner = await openLedgerIn(cluster);
  await using slow = await openWire(cluster.port, roundTripMs / 2);
  const count = Math.ceil(notes / 2);
  await using sandbox = await startSandboxProcess(count * 2 + 200);
  const accounts = (await accountsOf(sandbox, "imported")).slice(0, count);
  const teamOf = (port: number) => ({
    SUPPLYLINE_TEAM: `postgresql://bench@127.0.0.1:${port}/postgres?schema=${schema}`,
  });
  let run = 0;
  /** Sends as many notes, and measures the processor time of PostgreSQL for each. */
  const bulk = async (env: Readonly<Record<string, string>>) => {
    const before = processorTimeOfAll(cluster.pid());
    const { rate } = await byBulk(sandbox, accounts, `Team note ${run++}`, env);
    const after = processorTimeOfAll(cluster.pid());
    if (isSkipped(before) || isSkipped(after)) return { rate };
    return { rate, pg: (after - before) / count };
  };
  const bulks = await inTurn(Math.min(rounds, 3), {
    without: () => bulk({}),
    team: () => bulk(teamOf(cluster.port)),
    slow: () => bulk(teamOf(slow.port)),
  });
  await using folders = await openFolders();
  const one = async (env: Readonly<Record<string, string>>, own: Folders = folders) => {
    const args = ["notes", "create", "ACME", accounts[0] ?? "", "--body", `One ${run++}`, "--yes"];
    const from = now();
    const { code, stderr } = await runCli(args, { env: { ...sandbox.env, ...env }, folders: own });
    if (code !== 0) throw new Error(`notes create ended with ${code}: ${stderr}`);
    return { ms: now() - from };
  };
  // A state folder with entries of the time before the team, or of another address, would have to join.
  await using alone = await openFolders();
  await using apart = await openFolders();
  const ones = await inTurn(rounds, {
    team: () => one(teamOf(cluster.port)),
    slow: () => one(teamOf(slow.port), apart),
    without: () => one({}, alone),
  });
  const pgOfNew = bulks("team", "pg");
  await fillLedger(owner, entries);
  const scanned = await rowsReadBySeqScans(owner);
  await bulk(teamOf(cluster.port));
  const { pg = Number.NaN } = await bulk(teamOf(cluster.port));
  const more = (side: "team" | "slow", lessMs: number): Reading => {
    const [ours, base] = [ones(side, "ms"), ones("without", "ms")];
    return isSkipped(ours) || isSkipped(base) ? skipped : ours - base - lessMs;
  };
  const peers = { "without a team": bulks("without", "rate") };
  return {
    "notes in a second": { ours: bulks("team", "rate"), peers },
    "notes in a second, at 20 ms": { ours: bulks("slow", "rate"), peers },
    "one note, more than without a team": { ours: more("team", 0) },
    "one note at 20 ms, more than 3 round trips": { ours: more("slow", 3 * roundTripMs) },
    "processor time of PostgreSQL for a note": { ours: pgOfNew },
    "the same, after a million entries": { ours: pg, peers: { "a new ledger": pgOfNew } },
    "rows read by scans of a whole table": { ours: (await rowsReadBySeqScans(owner)) - scanned },
    "first page of Activity, of a million entries": {
      ours: await firstPage(cluster, serviceKey(sandbox.baseUrl)),
    },
    ...chunk,
  };
};

/** Returns the size of the driver's chunk in kB. */
async function chunkSize(): Promise<number> {
  const chunks = join(dirname(builtProgram()), "chunks");
  const [driver = ""] = (await readdir(chunks)).filter((name) => /^postgres-/.test(name));
  return (await stat(join(chunks, driver))).size / 1_000;
}

/** Returns the median time in which a connected console reads its first page, in milliseconds. */
async function firstPage(cluster: Cluster, service: string): Promise<number> {
  const journal = randomUUID();
  const position = { seq: 0, state: null, isComplete: false };
  const user = { journal, machine: "bench", person: "bench", position: () => position, seen() {} };
  const options = { service, user, clock: systemClock, random: Math.random };
  const ledger = openLedger(accessOf(cluster, "bench"), options);
  const times: number[] = [];
  // The first one connects.
  for (let round = 0; round <= pages; round++) {
    const from = now();
    const rows = await listColleagues(ledger, journal, { limit: 500 });
    if (rows.length < 500) throw new Error(`The first page has ${rows.length} rows.`);
    if (round > 0) times.push(now() - from);
  }
  await ledger.close();
  return median(times);
}

function accessOf({ port }: Cluster, user: string): TeamAccess {
  return {
    address: { host: "127.0.0.1", port, database: "postgres", user, schema, isEncrypted: false },
    ca: undefined,
    login: async () => ({ user, password: null }),
  };
}

/** Creates a ledger with a member in a cluster. */
async function openLedgerIn(cluster: Cluster): Promise<LedgerOwner> {
  const connect = connectTo(accessOf(cluster, "owner"), 600_000);
  await initLedger(connect, { host: "127.0.0.1", schema });
  const owner: LedgerOwner = async (sql, ...values) => {
    const connection = await connect();
    try {
      return await connection.query(sql, values);
    } finally {
      await connection.close(false);
    }
  };
  await owner(`CREATE ROLE bench LOGIN IN ROLE "${schema}_team"`);
  return owner;
}
