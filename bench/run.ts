/**
 * `npm run bench` runs every benchmark and writes bench/results.json, `npm run bench -- NAME…` runs some.
 * `--rounds N` and `--accounts N` set their size, `--small` takes one that only shows that they run;
 * `--json FILE` writes the figures to another file, and `--against FILE` names what got worse than in
 * such a file by more than a tenth. A missed budget is only printed: the exit code is 1 only if a
 * benchmark fails.
 */
import { writeFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { type BenchmarkName, benchmarkNames } from "./budgets.ts";
import { bulk } from "./bulk.ts";
import { bytes } from "./bytes.ts";
import { command } from "./command.ts";
import { filter } from "./filter.ts";
import { firstRow } from "./first-row.ts";
import { idle } from "./idle.ts";
import { key } from "./key.ts";
import { listExport } from "./list-export.ts";
import { load } from "./load.ts";
import { readSaved, worseThan } from "./measure/against.ts";
import type { Benchmark, Size } from "./measure/benchmark.ts";
import { type Line, linesOf, table } from "./measure/report.ts";
import { isSkipped } from "./measure/rounds.ts";
import { note } from "./note.ts";
import { observe } from "./observe.ts";
import { rateLimit } from "./rate-limit.ts";
import { reconcile } from "./reconcile.ts";
import { refresh } from "./refresh.ts";
import { scale } from "./scale.ts";
import { sort } from "./sort.ts";
import { start } from "./start.ts";
import { teamHistory } from "./team/history.ts";
import { team } from "./team/team.ts";
import { wire } from "./wire.ts";

const benchmarks: Readonly<Record<BenchmarkName, Benchmark>> = {
  start,
  note,
  command,
  "first-row": firstRow,
  load,
  wire,
  "list-export": listExport,
  filter,
  sort,
  refresh,
  key,
  bytes,
  idle,
  bulk,
  scale,
  observe,
  reconcile,
  team,
  "team-history": teamHistory,
  "rate-limit": rateLimit,
};

const full: Size = {
  rounds: 5,
  accounts: 1_000_000,
  notes: 10_000,
  statuses: 100,
  queries: 4,
  keys: 200,
  idleSeconds: 60,
  scale: [1000, 10_000, 100_000, 1_000_000, 3_000_000],
  slowPeers: true,
};
const small: Size = {
  rounds: 1,
  accounts: 2000,
  notes: 200,
  statuses: 3,
  queries: 1,
  keys: 20,
  idleSeconds: 0.5,
  scale: [500, 1000, 2000],
  slowPeers: false,
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: "string" },
    accounts: { type: "string" },
    small: { type: "boolean", default: false },
    json: { type: "string" },
    against: { type: "string" },
  },
});
const size: Size = {
  ...(values.small ? small : full),
  ...(values.rounds === undefined ? {} : { rounds: Number(values.rounds) }),
  ...(values.accounts === undefined ? {} : { accounts: Number(values.accounts) }),
};
const unknown = positionals.find((name) => !Object.hasOwn(benchmarks, name));
const wrong =
  unknown !== undefined
    ? `There is no benchmark ${unknown}; there are ${benchmarkNames.join(", ")}.`
    : ![size.rounds, size.accounts].every((n) => Number.isInteger(n) && n > 0)
      ? "--rounds and --accounts take whole numbers above 0."
      : null;
if (wrong !== null) {
  console.error(wrong);
  process.exit(2);
}

// Read first: a wrong file is said before the hours of measuring.
const saved = values.against === undefined ? null : await readSaved(values.against);
const lines: Line[] = [];
const notices = new Set<string>();
for (const name of benchmarkNames) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  console.error(`${name} …`);
  try {
    const measured = linesOf(name, await benchmarks[name](size, console.log));
    lines.push(...measured);
    for (const { ours, peer, theirs } of measured) {
      if (isSkipped(ours)) notices.add(`${name}: ${ours.skipped}`);
      else if (isSkipped(theirs)) notices.add(`${name}, beside ${peer}: ${theirs.skipped}`);
    }
  } catch (error) {
    process.exitCode = 1;
    console.error(`${name} failed:`, error);
  }
}
console.log(
  `\n${size.accounts.toLocaleString("en")} accounts, medians of ${size.rounds} rounds, ${availableParallelism()} cores, Node ${process.versions.node}.\n\n${table(lines)}`,
);
for (const notice of notices) console.error(`Skipped ${notice}.`);
if (saved !== null) {
  const worse = worseThan(saved, lines);
  console.log(`\nWorse than ${values.against} by more than a tenth: ${worse.length || "nothing"}.`);
  for (const sentence of worse) console.log(`- ${sentence}`);
}
const isWhole = !values.small && positionals.length === 0;
const json = values.json ?? (isWhole ? new URL("results.json", import.meta.url) : undefined);
if (json !== undefined) await writeFile(json, `${JSON.stringify(lines, null, 2)}\n`);
