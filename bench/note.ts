import { openFolders } from "../test/helpers/folders.ts";
import type { Benchmark } from "./measure/benchmark.ts";
import { Console } from "./measure/console.ts";
import { inTurn } from "./measure/rounds.ts";
import { startSandboxProcess } from "./measure/sandbox-process.ts";

/**
 * An account number from an alert: from the spawn of `supplyline open` to the account's status, and
 * on to the service's confirmation of a note. Each key is pressed as soon as the screen is ready for
 * it, so this is the program's share of the time.
 */
export const note: Benchmark = async ({ rounds }) => {
  await using folders = await openFolders();
  await using sandbox = await startSandboxProcess(120);
  let turn = 0;
  const reading = await inTurn(rounds, {
    ours: async () => {
      const text = `seen, called back (${turn++})`;
      await using console = new Console(["open", "ACME", "EXT-0000001"], folders, {
        env: sandbox.env,
      });
      const status = await console.until("COMPLETED");
      console.send("n");
      await console.until("Note 1");
      console.send(`\x1b[200~${text}\x1b[201~`);
      await console.until(text);
      console.send("\x07");
      await console.until("Nothing has been sent");
      console.send("s");
      const sent = await console.until("NOTE_CREATION_SUCCESS");
      return { status: status - console.startedAt, sent: sent - console.startedAt };
    },
  });
  return {
    "to an account's status": { ours: reading("ours", "status") },
    "to a note sent to it": { ours: reading("ours", "sent") },
  };
};
