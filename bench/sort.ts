import { join } from "node:path";
import { openFolders } from "../test/helpers/folders.ts";
import type { Benchmark } from "./measure/benchmark.ts";
import { type Console, openLoadedList } from "./measure/console.ts";
import { openLists } from "./measure/lists.ts";
import { timed, withInstalled } from "./measure/peers.ts";
import { inTurn } from "./measure/rounds.ts";

/** As `>` comes to them from the service's own order, each with the sign of its first order. */
const columns = [
  ["External account", "▲", "▼"],
  ["Since", "▼", "▲"],
  ["Service acc", "▲", "▼"],
  ["Since", "▲", "▼"],
] as const;

/**
 * From the key until the rows stand sorted, for each column and turned round; the slowest of these
 * counts. Meanwhile how late the event loop was, and how long a cursor key waited for its effect.
 */
export const sort: Benchmark = async ({ rounds, accounts }) => {
  await using folders = await openFolders();
  await using lists = await openLists(accounts);
  const rows = join(folders.home, "rows.tsv");
  await lists.writeRows(rows);
  const reading = await inTurn(rounds, {
    ours: async () => {
      await using console = await openLoadedList(lists, folders, { probed: true });
      await console.loopDelay();
      const times: number[] = [];
      for (const [column, first, turned] of columns) {
        times.push(await sorted(console, ">", `${first} ${column}`));
        times.push(await sorted(console, "R", `${turned} ${column}`));
        await sorted(console, "R", `${first} ${column}`);
      }
      const { p99 } = await console.loopDelay();
      return { slowest: Math.max(...times), p99, key: await keyWhileSorting(console) };
    },
    sort: withInstalled(["sort"], async () => {
      const args = ["-t", "\t", "-k2,2", "-s", "-o", "/dev/null", rows];
      return timed("sort", args, { env: { LC_ALL: "C" } });
    }),
  });
  return {
    "slowest column": {
      ours: reading("ours", "slowest"),
      peers: { "sort of the same rows": reading("sort", "ms") },
    },
    "loop delay p99": { ours: reading("ours", "p99") },
    "cursor key while sorting": { ours: reading("ours", "key") },
  };
};

/** Milliseconds from a key until the rows are in the order that the title shows. */
async function sorted(console: Console, key: string, title: string): Promise<number> {
  const at = console.send(key);
  const ms = (await console.until(stands(title))) - at;
  await console.quiet(100);
  return ms;
}

function stands(title: string): (screen: string) => boolean {
  return (screen) => screen.includes(title) && !screen.includes("sorting…");
}

/** Milliseconds from `j`, pressed right after another column was chosen, until it was answered. */
async function keyWhileSorting(console: Console): Promise<number> {
  const from = console.screen();
  console.send("<");
  await console.until((screen) => screen !== from);
  const before = console.screen();
  const at = console.send("j");
  const answered = await console.until((screen) => cursorLine(screen) !== cursorLine(before));
  return answered - at;
}

function cursorLine(screen: string): string | undefined {
  return screen.split("\n").find((line) => line.startsWith("▌"));
}
