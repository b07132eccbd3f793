/**
 * Measures what the console and the commands read from a ledger with many entries:
 * `node bench/team/lists.ts postgresql://LOGIN@127.0.0.1:5432/DATABASE SERVICE [TIMES]`.
 * Prints the median and the slowest time of each list in milliseconds. The login must be a member.
 */
import { randomUUID } from "node:crypto";
import { performance } from "node:perf_hooks";
import { systemClock } from "../../src/api/clock.ts";
import { teamAccess } from "../../src/settings/team-access.ts";
import { type ColleagueFilter, listColleagues } from "../../src/writes/team/colleagues.ts";
import { openLedger } from "../../src/writes/team/postgres.ts";

const [team, service = "", times = "20"] = process.argv.slice(2);
const access = teamAccess(team === undefined ? {} : { team }, {
  env: process.env,
  home: process.env.HOME ?? "/",
});
if (access === null) throw new Error("The first argument is the address of the ledger's database.");

const journal = randomUUID();
const position = { seq: 0, state: null, isComplete: false };
const user = { journal, machine: "bench", person: "bench", position: () => position, seen() {} };
const ledger = openLedger(access, { service, user, clock: systemClock, random: Math.random });
const list = (filter: ColleagueFilter) => () =>
  listColleagues(ledger, journal, { limit: 500, ...filter });
const [first] = await listColleagues(ledger, journal, { limit: 1 });
const run = first?.run ?? (await ledger.runs(1))[0]?.run ?? "none";

const reads: Readonly<Record<string, () => Promise<readonly unknown[]>>> = {
  "first page": list({}),
  "first page without runs": list({ isOfRun: false }),
  unknown: list({ outcomes: ["unknown"] }),
  "unknown, retryable, sending": list({ outcomes: ["unknown", "retryable", "sending"] }),
  rejected: list({ outcomes: ["rejected"] }),
  "one supplier": list({ importSupplier: first?.import_supplier ?? "ACME" }),
  "one account": list({
    importSupplier: first?.import_supplier ?? "ACME",
    externalAccountNumber: first?.external_account_number ?? "EXT-1",
  }),
  "an account without entries": list({ externalAccountNumber: "none" }),
  "an identifier without entries": list({ externalIdentifier: "none" }),
  "one run": list({ run }),
  "one person": list({ person: first?.by ?? "op1" }),
  "one machine": list({ machine: first?.machine ?? "lap1" }),
  "the last day": list({ since: Date.now() - 86_400_000 }),
  runs: () => ledger.runs(50),
  "open work": async () => (await ledger.openWork()).people,
  "sums of the last day": () => ledger.done({ since: Date.now() - 86_400_000 }),
};

for (const [name, read] of Object.entries(reads)) {
  const took: number[] = [];
  let rows = 0;
  for (let n = 0; n < Number(times); n++) {
    const startedAt = performance.now();
    rows = (await read()).length;
    took.push(performance.now() - startedAt);
  }
  took.sort((one, other) => one - other);
  const [median = 0, slowest = 0] = [took[Math.floor(took.length / 2)], took.at(-1)];
  console.log(`${name}: ${median.toFixed(1)} ms, at most ${slowest.toFixed(1)} ms, ${rows} rows`);
}
await ledger.close();
