import { openFolders } from "../test/helpers/folders.ts";
import type { Benchmark } from "./measure/benchmark.ts";
import { loaded, openWaitingList } from "./measure/console.ts";
import { openLists } from "./measure/lists.ts";
import { memory, peakMemory } from "./measure/process-figures.ts";
import { inTurn, isSkipped, type Reading } from "./measure/rounds.ts";

const figure = (reading: Reading) => (isSkipped(reading) ? Number.NaN : reading);

/**
 * A second load of the same list with a thousand of its rows changed: from the key until the changes
 * are counted and the first of them, on the first line, is highlighted. Beside it the first load in the
 * same process; and by how much the peak of its memory rose, beside what the first load took.
 */
export const refresh: Benchmark = async ({ rounds, accounts }) => {
  await using folders = await openFolders();
  await using lists = await openLists(accounts);
  const changed = Math.min(1000, accounts / 2);
  const told = `~${changed.toLocaleString("en")} changed`;
  const here = memory(process.pid);
  const reading = await inTurn(rounds, {
    ours: async () => {
      await lists.serve(0);
      await using console = await openWaitingList(lists, folders);
      const empty = figure(memory(console.pid));
      const from = await lists.release();
      const load = (await console.until(loaded)) - from;
      await console.quiet(300);
      const peak = figure(peakMemory(console.pid));
      const table = figure(memory(console.pid)) - empty;
      await lists.serve(changed);
      const at = console.send("r");
      const highlighted = await console.until(
        (screen) => screen.includes(told) && /^.. ?~ \S*0000001/m.test(screen),
      );
      const ms = highlighted - at;
      return { ms, load, table, more: figure(peakMemory(console.pid)) - peak };
    },
  });
  return {
    "changes highlighted": {
      ours: reading("ours", "ms"),
      peers: { "the first load": reading("ours", "load") },
    },
    "more peak memory": {
      ours: isSkipped(here) ? here : reading("ours", "more"),
      peers: { "one table": isSkipped(here) ? here : reading("ours", "table") },
    },
  };
};
