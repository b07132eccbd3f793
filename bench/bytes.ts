import { openFolders } from "../test/helpers/folders.ts";
import type { Benchmark } from "./measure/benchmark.ts";
import { openLoadedList } from "./measure/console.ts";
import { openLists } from "./measure/lists.ts";
import { inTurn } from "./measure/rounds.ts";

/** Nothing more is drawn for a key after this time, in milliseconds. */
const restMs = 600;

/**
 * Bytes that the console writes for what is pressed all day, at 80×24: what a link of 200 ms feels.
 * A pause of the keys is part of it, because a preview or a help is drawn once the cursor rests.
 */
export const bytes: Benchmark = async ({ rounds, accounts }) => {
  await using folders = await openFolders();
  await using lists = await openLists(Math.min(accounts, 20_000));
  const reading = await inTurn(rounds, {
    ours: async () => {
      await using console = await openLoadedList(lists, folders, { cols: 80, rows: 24 });
      const costOf = async (key: string): Promise<number> => {
        const before = console.bytes;
        const first = console.nextByte();
        console.send(key);
        await first;
        await console.quiet(restMs);
        return console.bytes - before;
      };
      const j = [await costOf("j"), await costOf("j"), await costOf("j")];
      const help = await costOf("?");
      const helpClosed = await costOf("\x1b");
      const palette = await costOf(":");
      const paletteClosed = await costOf("\x1b");
      await costOf("\x1b");
      const list = await costOf("\r");
      console.send("t");
      await console.until(/^ ?Transactions for |Compose it anyway/m);
      // The first account might be pending.
      if (console.screen().includes("Compose it anyway")) console.send("y");
      await console.until(/^ ?Transactions for /m);
      await console.quiet(restMs);
      const down = [await costOf("\x1b[B"), await costOf("\x1b[B"), await costOf("\x1b[B")];
      return { j, help, helpClosed, palette, paletteClosed, list, down };
    },
  });
  return {
    "j in a list": { ours: reading("ours", "j") },
    "? opens the help": { ours: reading("ours", "help") },
    "Esc closes the help": { ours: reading("ours", "helpClosed") },
    ": opens the palette": { ours: reading("ours", "palette") },
    "Esc closes the palette": { ours: reading("ours", "paletteClosed") },
    "Enter opens a list": { ours: reading("ours", "list") },
    "Down in a form": { ours: reading("ours", "down") },
  };
};
