import { cleanEnvironment, openFolders } from "../test/helpers/folders.ts";
import type { Benchmark } from "./measure/benchmark.ts";
import { Console } from "./measure/console.ts";
import { openLists } from "./measure/lists.ts";
import { installed } from "./measure/peers.ts";
import { inTurn } from "./measure/rounds.ts";
import { TimedTerminal } from "./measure/terminal.ts";

const ctrlC = "\u0003";

/** Waits for the content of a console, and ends it as a user does. */
async function ended(console: Console, content: string): Promise<void> {
  await using shown = console;
  await shown.until(content);
  await shown.quiet(300);
  // The first one asks, where something could be lost.
  shown.send(ctrlC);
  await shown.quiet(100);
  shown.send(ctrlC);
  await shown.ended;
}

/**
 * From the spawn, in a pseudo-terminal of 200×50, to the first frame with content: the first start
 * of all, and at a supplier of a known service. The same folders each round: the start that counts
 * finds what the first one left behind.
 */
export const start: Benchmark = async ({ rounds }) => {
  await using folders = await openFolders();
  await using lists = await openLists(1000);
  const opened = async (terminal: TimedTerminal, content: string) => {
    await using shown = terminal;
    return { ms: (await shown.until(content)) - shown.startedAt };
  };
  const env = cleanEnvironment(folders.home);
  // A run that ends stores its compiled code, which the starts that are measured find.
  await ended(new Console([], folders), "Connect to a service");
  await ended(new Console(["open", "ACME"], folders, { env: lists.env }), "ACME");
  const htop = installed("htop");
  const reading = await inTurn(rounds, {
    ours: () => opened(new Console([], folders), "Connect to a service"),
    supplier: () => opened(new Console(["open", "ACME"], folders, { env: lists.env }), "ACME"),
    node: async () => {
      await using bare = new TimedTerminal(process.execPath, ["-e", "0"], { env });
      return { ms: (await bare.ended) - bare.startedAt };
    },
    htop:
      typeof htop === "string" ? () => opened(new TimedTerminal(htop, [], { env }), "PID") : htop,
  });
  const peers = { "node -e 0": reading("node", "ms"), htop: reading("htop", "ms") };
  return {
    "first frame": { ours: reading("ours", "ms"), peers },
    "first frame, at a supplier": { ours: reading("supplier", "ms"), peers },
  };
};
