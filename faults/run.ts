/**
 * `npm run faults`: every fault at every endpoint, kills and stops, and the journal compared with the
 * service's own ledger. `--sabotage` checks instead that clients made wrong on purpose are caught.
 * `--team` has eight machines of a team write the same items, and compares the ledgers of all of them.
 * Ends with 1 when a promise was broken, or a sabotage not noticed.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { clusterPrograms } from "../test/helpers/cluster.ts";
import { runCampaign } from "./campaign.ts";
import { chosenFaults } from "./matrix/plan.ts";
import { brokenPromises, campaignTable, sabotageTable, teamReport } from "./report.ts";
import { checkSabotage } from "./sabotage/check.ts";
import { sabotages } from "./sabotage/list.ts";
import { runTeamCampaign } from "./team/campaign.ts";

const { values } = parseArgs({
  options: {
    seed: { type: "string" },
    writes: { type: "string" },
    size: { type: "string" },
    only: { type: "string", default: "" },
    endpoint: { type: "string", default: "" },
    folder: { type: "string", default: tmpdir() },
    json: { type: "string" },
    short: { type: "boolean", default: false },
    sabotage: { type: "boolean", default: false },
    team: { type: "boolean", default: false },
    machines: { type: "string", default: "8" },
    help: { type: "boolean", default: false },
  },
});
if (values.help) {
  console.log(`npm run faults -- [--short] [--seed N] [--writes N] [--size N] [--only NAMES]
  [--endpoint NAMES] [--folder PATH] [--json FILE] [--sabotage | --team [--machines N]]
docs/development/testing.md describes them.`);
  process.exit(0);
}
const seed = Number(values.seed ?? Math.floor(Math.random() * 0x1_0000_0000));
const machines = Number(values.machines);
const manyWrites = values.team ? 20_000 : 10_000;
const fewWrites = values.team ? 1_000 : 48;
const writes = Number(values.writes ?? (values.short ? fewWrites : manyWrites));
const size = Number(values.size ?? (values.short ? 16 : 64));
// Names of faults hold commas themselves.
const only = values.only === "" ? [] : splitNames(values.only);
const endpoints = values.endpoint === "" ? [] : values.endpoint.split(",");
const isWhole = [seed, writes, size, machines].every((n) => Number.isSafeInteger(n) && n >= 0);
if (!isWhole || writes === 0 || machines < 4) {
  console.error("--seed, --writes, --size and --machines (from 4 on) take whole numbers.");
  process.exit(2);
}

const where = await mkdtemp(join(values.folder, "supplyline-faults-"));
const began = performance.now();
try {
  process.exitCode = values.team
    ? await teamCampaign()
    : values.sabotage
      ? await sabotageCheck()
      : await campaign();
} finally {
  await rm(where, { recursive: true, force: true, maxRetries: 5 });
}

async function campaign(): Promise<number> {
  console.log(`Seed ${seed}, ${writes} writes for each fault, scenarios of ${size}.\n`);
  const done = progress();
  const result = await runCampaign({
    seed,
    writes,
    size,
    only,
    endpoints,
    where,
    onDone: done.tell,
  });
  done.end();
  if (result.rows.length === 0) {
    console.error(`Nothing is called ${values.only} at ${values.endpoint || "any endpoint"}.`);
    return 2;
  }
  console.log(campaignTable(result));
  if (values.json !== undefined) {
    await writeFile(values.json, `${JSON.stringify({ seed, writes, size, ...result }, null, 2)}\n`);
  }
  const broken = brokenPromises(result);
  const seconds = Math.round((performance.now() - began) / 1000);
  console.log(
    `\n${broken === "" ? "No promise was broken." : `Broken:\n${broken}`} (${seconds} s)`,
  );
  return broken === "" ? 0 : 1;
}

async function sabotageCheck(): Promise<number> {
  console.log(`Seed ${seed}.\n`);
  const chosen = sabotages.filter(({ name }) => only.length === 0 || only.includes(name));
  const results = [];
  const done = progress();
  for (const sabotage of chosen) {
    results.push(await checkSabotage(sabotage, { where, seed, writes: 16 }));
    done.tell(sabotage.name);
  }
  done.end();
  console.log(sabotageTable(results));
  if (values.json !== undefined) {
    await writeFile(values.json, `${JSON.stringify({ seed, results }, null, 2)}\n`);
  }
  const missed = results.filter(({ caught }) => !caught).length;
  console.log(missed === 0 ? "\nEvery sabotage was caught." : `\n${missed} were not caught.`);
  return missed === 0 && results.length > 0 ? 0 : 1;
}

async function teamCampaign(): Promise<number> {
  if (clusterPrograms === null) {
    console.log("Skipped: PostgreSQL is not on this machine, so no ledger of a team runs.");
    return 0;
  }
  console.log(`Seed ${seed}, ${machines} machines, ${writes} writes.\n`);
  const done = progress();
  const client = { execArgv: [], env: {} };
  const result = await runTeamCampaign({
    where,
    seed,
    writes,
    machines,
    client,
    onDone: done.tell,
  });
  done.end();
  console.log(teamReport(result));
  if (values.json !== undefined)
    await writeFile(values.json, `${JSON.stringify({ seed, writes, ...result }, null, 2)}\n`);
  const seconds = Math.round((performance.now() - began) / 1000);
  const broken = result.violations.length;
  console.log(
    `\n${broken === 0 ? "No promise was broken." : `${broken} findings.`} (${seconds} s)`,
  );
  return broken === 0 ? 0 : 1;
}

/** A whole name first, then names divided by commas. */
function splitNames(text: string): readonly string[] {
  const whole = [...chosenFaults([text]), ...sabotages.filter(({ name }) => name === text)];
  return whole.length > 0 ? [text] : text.split(",");
}

function progress() {
  let n = 0;
  const shown = process.stderr.isTTY === true;
  return {
    tell: (line: string) => {
      n += 1;
      if (shown) process.stderr.write(`\r\u001b[K${n} done, ${line}`);
    },
    end: () => {
      if (shown) process.stderr.write("\r\u001b[K");
    },
  };
}
