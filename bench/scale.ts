import { count } from "../src/text/numbers.ts";
import { openFolders } from "../test/helpers/folders.ts";
import type { Benchmark } from "./measure/benchmark.ts";
import { loaded, openWaitingList } from "./measure/console.ts";
import { openLists } from "./measure/lists.ts";
import { peakMemory } from "./measure/process-figures.ts";
import { isSkipped, median, type Reading } from "./measure/rounds.ts";
import { typeIntoFilter } from "./measure/type-into-filter.ts";

interface AtSize {
  readonly accounts: number;
  /** Rows that the program kept: beyond its cap it says so and keeps what fits. */
  readonly kept: number;
  readonly loadMs: number;
  readonly filterMs: number;
  readonly peakMb: Reading;
}

/**
 * Load, filter and memory from a thousand rows to three million. Linear means: what the last step
 * costs for each row it adds is what the step before it cost.
 */
export const scale: Benchmark = async ({ scale: sizes, rounds }, say) => {
  const all: AtSize[] = [];
  say("| accounts | loaded | load, ms | a keystroke, ms | peak memory, MB |");
  say("|---|---|---|---|---|");
  for (const accounts of sizes) {
    const at = await measured(accounts, Math.min(3, rounds));
    all.push(at);
    const mb = isSkipped(at.peakMb) ? at.peakMb.skipped : at.peakMb.toFixed(0);
    const ms = [at.loadMs, at.filterMs].map((value) => value.toFixed(1)).join(" | ");
    say(`| ${count(accounts)} | ${count(at.kept)} | ${ms} | ${mb} |`);
  }
  const [before, from, to] = all.slice(-3);
  if (!before || !from || !to) throw new Error("a scale has at least three sizes");
  const step = (a: AtSize, b: AtSize, of: (at: AtSize) => Reading): Reading => {
    const [low, high] = [of(a), of(b)];
    if (isSkipped(low)) return low;
    if (isSkipped(high)) return high;
    return ((high - low) / (b.kept - a.kept)) * 1e6;
  };
  const line = (of: (at: AtSize) => Reading) => ({
    ours: step(from, to, of),
    peers: { "the step before": step(before, from, of) },
  });
  return {
    "load, for each further million": line((at) => at.loadMs),
    "a keystroke, for each further million": line((at) => at.filterMs),
    "memory, for each further million": line((at) => at.peakMb),
  };
};

async function measured(accounts: number, rounds: number): Promise<AtSize> {
  await using folders = await openFolders();
  await using lists = await openLists(accounts);
  const loads: number[] = [];
  const keys: number[] = [];
  let peakMb: Reading = Number.NaN;
  let kept = 0;
  for (let round = 0; round < rounds; round++) {
    await using console = await openWaitingList(lists, folders);
    const from = await lists.release();
    loads.push((await console.until(loaded)) - from);
    peakMb = peakMemory(console.pid);
    kept = Number(/\d of ([\d,]+)/.exec(console.screen())?.[1]?.replaceAll(",", ""));
    console.send("z");
    await console.until(/ paused\b/);
    await console.quiet(500);
    keys.push(...(await typeIntoFilter(console, "4711")));
  }
  return { accounts, kept, loadMs: median(loads), filterMs: median(keys), peakMb };
}
