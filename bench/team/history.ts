/** A machine with an empty state folder, and the history of a supplier's list that its team has. */
import { AccountRowReader } from "../../src/accounts/ingest/reader.ts";
import { systemClock } from "../../src/api/clock.ts";
import { serviceKey } from "../../src/api/url.ts";
import { hourMs } from "../../src/text/durations.ts";
import { openObservations } from "../../src/triage/observations/open-observations.ts";
import { openMemory } from "../../src/writes/team/postgres.ts";
import { clusterPrograms, startCluster } from "../../test/helpers/cluster.ts";
import { openFolders } from "../../test/helpers/folders.ts";
import { openWire } from "../../test/helpers/wire.ts";
import type { Benchmark } from "../measure/benchmark.ts";
import { Console } from "../measure/console.ts";
import { type Lists, openLists } from "../measure/lists.ts";
import { measured } from "../measure/measured-command.ts";
import { processorTime } from "../measure/process-figures.ts";
import { inTurn, isSkipped } from "../measure/rounds.ts";
import { accessTo, noCluster, openLedgerIn, teamAt } from "./ledger.ts";

const without = {
  "overview of the team's ages": { ours: noCluster },
  changes: { ours: noCluster },
  "accounts list --ages": { ours: noCluster, peers: { "without --ages and a team": noCluster } },
  "from the database": { ours: noCluster },
  "processor time of the overview": { ours: noCluster },
  "processor time of changes": { ours: noCluster },
};

/** The accounts of the first list that no later one has. */
const goneAccounts = 100;
/** The measured commands record lists, too, so that their machine is one of three after the first round. */
const isOldest = /oldest pending ≥ 2 d.* by [23] machines/;
const isGone = new RegExp(`Since yesterday .* ${goneAccounts} (gone|left the list)`);

export const teamHistory: Benchmark = async ({ rounds, accounts }) => {
  if (clusterPrograms === null) return without;
  using cluster = await startCluster({ fsync: "on" });
  await openLedgerIn(cluster);
  await using lists = await openLists(accounts);
  await recordHistory(lists, cluster.port);
  await using wire = await openWire(cluster.port);
  const env = { ...teamAt(wire.port), SUPPLYLINE_OBSERVE: "1" };
  const command = async (...words: readonly string[]) => {
    await using folders = await openFolders();
    const before = wire.carried.server;
    const args = [...words, "--format", "jsonl", "--quiet"];
    const sample = await measured(lists, folders, args, 0, env);
    return { ...sample, read: (wire.carried.server - before) / 1e6 };
  };
  const reading = await inTurn(rounds, {
    overview: async () => {
      await using folders = await openFolders();
      await using console = new Console(["open", "ACME"], folders, {
        env: { ...lists.env, ...env },
      });
      const shown = await console.until((screen) => isOldest.test(screen) && isGone.test(screen));
      const cpu = processorTime(console.pid);
      return { ms: shown - console.startedAt, ...(isSkipped(cpu) ? {} : { cpu }) };
    },
    changes: () => command("changes", "ACME"),
    ages: () => command("accounts", "list", "ACME", "--ages"),
    plain: async () => {
      await using folders = await openFolders();
      return await measured(
        lists,
        folders,
        ["accounts", "list", "ACME", "--format", "jsonl", "--quiet"],
        0,
      );
    },
  });
  return {
    "overview of the team's ages": { ours: reading("overview", "ms") },
    changes: { ours: reading("changes", "ms") },
    "accounts list --ages": {
      ours: reading("ages", "ms"),
      peers: { "without --ages and a team": reading("plain", "ms") },
    },
    "from the database": { ours: reading("changes", "read") },
    "processor time of the overview": { ours: reading("overview", "cpu") },
    "processor time of changes": { ours: reading("changes", "cpu") },
  };
};

/** Records a list of two days ago on one machine, and one of today with changes on another. */
async function recordHistory(lists: Lists, port: number): Promise<void> {
  await lists.serve(Math.floor(lists.accounts / 100));
  await recordList(lists, port, { machine: "first", hoursAgo: 48, extra: goneAccounts });
  await lists.serve(0);
  await recordList(lists, port, { machine: "second", hoursAgo: 12, extra: 0 });
}

async function recordList(
  { url, env }: Lists,
  port: number,
  list: { readonly machine: string; readonly hoursAgo: number; readonly extra: number },
): Promise<void> {
  await using folders = await openFolders();
  const service = serviceKey(env.SUPPLYLINE_BASE_URL ?? "");
  const names = { machine: list.machine, person: "bench" };
  const at = Date.now() - list.hoursAgo * hourMs;
  const observations = await openObservations({
    folder: folders.state,
    origin: env.SUPPLYLINE_BASE_URL ?? "",
    clock: { ...systemClock, now: () => at },
    recording: true,
    team: {
      load: async () => ({
        address: "bench",
        names,
        open: async () => openMemory(accessTo(port, "bench"), { service, names }),
      }),
      isFollowing: false,
    },
  });
  const recorder = observations.begin("ACME", at);
  const body = Buffer.from(await (await fetch(url)).arrayBuffer());
  const more = Array.from({ length: list.extra }, (_, n) =>
    JSON.stringify({
      external_account_number: `GONE-${n}`,
      service_account_number: null,
      account_created_at: null,
    }),
  );
  const reader = new AccountRowReader();
  const whole = Buffer.concat([
    body.subarray(0, -1),
    ...more.map((row) => Buffer.from(`,${row}`)),
    Buffer.from("]"),
  ]);
  const batches = [reader.push(whole), reader.end().batch];
  for (const batch of batches) if (batch !== null) await recorder.take(batch);
  const { kind } = await recorder.finish();
  if (kind !== "recorded") throw new Error(`the list was ${kind}`);
  await observations.close();
}
