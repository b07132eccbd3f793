import { openFolders } from "../test/helpers/folders.ts";
import type { Benchmark } from "./measure/benchmark.ts";
import { openWaitingList } from "./measure/console.ts";
import { openLists, parseWholeOf } from "./measure/lists.ts";
import { inTurn } from "./measure/rounds.ts";

/**
 * From the first byte of the service's answer (INTERFACE 4.9) to the first rows on the screen; the
 * Accounts screen is up and waits for them. Beside it what parses the body in one piece, and so has
 * its first row when it has the last.
 */
export const firstRow: Benchmark = async ({ rounds, accounts }) => {
  await using folders = await openFolders();
  await using lists = await openLists(accounts);
  const reading = await inTurn(rounds, {
    ours: async () => {
      await using console = await openWaitingList(lists, folders);
      const from = await lists.release();
      return { ms: (await console.until("EXT-0000001")) - from };
    },
    parse: parseWholeOf(lists),
  });
  return {
    "first rows on the screen": {
      ours: reading("ours", "ms"),
      peers: { "fetch and JSON.parse": reading("parse", "ms") },
    },
  };
};
