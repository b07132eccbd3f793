import { join } from "node:path";
import { cleanEnvironment, openFolders } from "../test/helpers/folders.ts";
import type { Benchmark } from "./measure/benchmark.ts";
import { openLoadedList } from "./measure/console.ts";
import { openFzf, typeIntoFzf } from "./measure/fzf.ts";
import { openLists } from "./measure/lists.ts";
import { installed } from "./measure/peers.ts";
import { peakMemory } from "./measure/process-figures.ts";
import { inTurn, isSkipped, median, p95 } from "./measure/rounds.ts";
import { typeIntoFilter } from "./measure/type-into-filter.ts";

/** Queries that our filter and `fzf --exact` understand alike: this anywhere in the row, or nowhere. */
const all = ["4711", "a-9f2", "2026-11-2", "!77"];
const fuzzy = "ext42";

/**
 * Keystrokes of queries, one after another, each from the key until the screen has settled on its
 * result; beside fzf with the same rows, restarted for each query with all of them read.
 */
export const filter: Benchmark = async ({ rounds, accounts, queries }) => {
  const exact = all.slice(0, queries);
  await using folders = await openFolders();
  await using lists = await openLists(accounts);
  const rows = { path: join(folders.home, "rows.tsv"), count: accounts };
  await lists.writeRows(rows.path);
  const path = installed("fzf");
  const env = cleanEnvironment(folders.home);
  const inFzf = async (fzf: string, args: readonly string[], query: string) => {
    await using terminal = await openFzf(fzf, args, rows, env);
    return await typeIntoFzf(terminal, query, accounts);
  };
  const reading = await inTurn(rounds, {
    ours: async () => {
      await using console = await openLoadedList(lists, folders);
      const before = peakMemory(console.pid);
      const keys: number[] = [];
      for (const query of exact) keys.push(...(await typeIntoFilter(console, query)));
      // The sign that makes it fuzzy finds nothing by itself.
      const fuzzyKeys = (await typeIntoFilter(console, `~${fuzzy}`)).slice(1);
      const after = peakMemory(console.pid);
      const more = isSkipped(before) || isSkipped(after) ? Number.NaN : after - before;
      return { exact: keys, fuzzy: fuzzyKeys, more };
    },
    fzf:
      typeof path === "string"
        ? async () => {
            const keys: number[] = [];
            for (const query of exact) keys.push(...(await inFzf(path, ["--exact"], query)));
            return { exact: keys, fuzzy: await inFzf(path, [], fuzzy) };
          }
        : path,
  });
  const line = (what: string, of: (values: readonly number[]) => number) => ({
    ours: reading("ours", what, of),
    peers: { fzf: reading("fzf", what, of) },
  });
  return {
    "keystroke, median": line("exact", median),
    "keystroke, p95": line("exact", p95),
    "fuzzy keystroke, median": line("fuzzy", median),
    "fuzzy keystroke, p95": line("fuzzy", p95),
    "more peak memory": { ours: reading("ours", "more") },
  };
};
