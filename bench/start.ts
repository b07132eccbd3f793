import { openFolders } from "../test/helpers/folders.ts";
import { runProgram } from "../test/helpers/process.ts";
import { openConsole } from "../test/helpers/terminal.ts";
import { alternating, type Result, timed } from "./measure.ts";

/** From the spawn, in a pseudo-terminal of 200×50, to the first frame with content; beside `node -e 0`. */
export async function start(rounds: number): Promise<Result[]> {
  await using folders = await openFolders();
  const { ours, theirs } = await alternating(
    rounds,
    async () => {
      const from = performance.now();
      await using terminal = await openConsole([], { cols: 200, rows: 50, folders });
      await terminal.waitFor("Connect to a service");
      return performance.now() - from;
    },
    () => timed(() => runProgram("-e", ["0"])),
  );
  return [{ name: "start", ours, peer: "node -e 0", theirs, note: "first frame" }];
}
