/**
 * `npm run bench` runs every benchmark, `npm run bench -- NAME` one; `--rounds N` and `--accounts N`
 * set their size. Each stands beside a peer measured in the same run.
 */
import { parseArgs } from "node:util";
import { command } from "./command.ts";
import { list } from "./list.ts";
import type { Result } from "./measure.ts";
import { start } from "./start.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: "string", default: "7" },
    accounts: { type: "string", default: "100000" },
  },
});
const rounds = Number(values.rounds);
const accounts = Number(values.accounts);
const benchmarks: Readonly<Record<string, () => Promise<Result[]>>> = {
  start: () => start(rounds),
  command: () => command(rounds),
  list: () => list(rounds, accounts),
};
const unknown = positionals.find((name) => !Object.hasOwn(benchmarks, name));
if (unknown !== undefined || !(rounds > 0) || !(accounts > 0)) {
  console.error(
    `There is no benchmark ${unknown}; there are ${Object.keys(benchmarks).join(", ")}.`,
  );
  process.exit(2);
}
console.log("| what | ours, ms | peer | peer, ms | ratio | |\n|---|---|---|---|---|---|");
for (const [name, run] of Object.entries(benchmarks)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  for (const result of await run()) {
    const cells = [
      result.name,
      result.ours.toFixed(0),
      result.peer,
      result.theirs.toFixed(0),
      (result.ours / result.theirs).toFixed(2),
      result.note,
    ];
    console.log(`| ${cells.join(" | ")} |`);
  }
}
