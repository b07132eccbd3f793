import { join } from "node:path";
import { cleanEnvironment, openFolders } from "../test/helpers/folders.ts";
import type { Benchmark } from "./measure/benchmark.ts";
import { openLoadedList } from "./measure/console.ts";
import { openFzf } from "./measure/fzf.ts";
import { openLists } from "./measure/lists.ts";
import { installed } from "./measure/peers.ts";
import { inTurn, p95 } from "./measure/rounds.ts";
import { TimedTerminal } from "./measure/terminal.ts";

/**
 * Cursor movement in a full list of 200×50: from the key to the first byte back, and bytes for each
 * key. One key at a time: the next comes when all of the one before has been drawn.
 */
export const key: Benchmark = async ({ rounds, accounts, keys }) => {
  await using folders = await openFolders();
  await using lists = await openLists(Math.min(accounts, 100_000));
  const rows = { path: join(folders.home, "rows.tsv"), count: lists.accounts };
  await lists.writeRows(rows.path);
  const env = cleanEnvironment(folders.home);
  const fzf = installed("fzf");
  const htop = installed("htop");
  const reading = await inTurn(rounds, {
    ours: async () => {
      await using console = await openLoadedList(lists, folders);
      const moved = await pressed(console, "\x1b[B", "\x1b[A", keys);
      // From the last line on each key moves every row of the screen.
      console.send("\x06");
      const scrolled = await pressed(console, "\x1b[B", "\x1b[B", Math.ceil(keys / 4));
      return { ...moved, scrolled: scrolled.bytes };
    },
    htop:
      typeof htop === "string"
        ? async () => {
            // htop refreshes itself every ten seconds at the slowest.
            await using terminal = new TimedTerminal(htop, ["-d", "100"], { env });
            await terminal.until("PID");
            return await pressed(terminal, "\x1bOB", "\x1bOA", keys);
          }
        : htop,
    fzf:
      typeof fzf === "string"
        ? async () => {
            await using terminal = await openFzf(fzf, [], rows, env);
            return await pressed(terminal, "\x1b[A", "\x1b[B", keys);
          }
        : fzf,
  });
  return {
    "to the first byte, median": {
      ours: reading("ours", "ms"),
      peers: { htop: reading("htop", "ms") },
    },
    "to the first byte, p95": {
      ours: reading("ours", "ms", p95),
      peers: { htop: reading("htop", "ms", p95), fzf: reading("fzf", "ms", p95) },
    },
    "bytes for each key": {
      ours: reading("ours", "bytes"),
      peers: { htop: reading("htop", "bytes"), fzf: reading("fzf", "bytes") },
    },
    "bytes for each key, scrolling": { ours: reading("ours", "scrolled") },
  };
};

/** Ten lines one way, ten back, and so on. */
async function pressed(
  terminal: TimedTerminal,
  forth: string,
  back: string,
  keys: number,
): Promise<{ ms: number[]; bytes: number[] }> {
  await terminal.quiet(300);
  const ms: number[] = [];
  const bytes: number[] = [];
  for (let n = 0; n < keys; n++) {
    const before = terminal.bytes;
    const first = terminal.nextByte();
    const at = terminal.send(n % 20 < 10 ? forth : back);
    ms.push((await first) - at);
    await terminal.quiet(30);
    bytes.push(terminal.bytes - before);
  }
  return { ms, bytes };
}
