import { startSandbox } from "../src/sandbox/index.ts";
import { openFolders } from "../test/helpers/folders.ts";
import { runCli, runProgram } from "../test/helpers/process.ts";
import { alternating, type Result, timed } from "./measure.ts";

/** `accounts status` of one account as a whole process, beside `node -e 0`. */
export async function command(rounds: number): Promise<Result[]> {
  const sandbox = await startSandbox();
  // The same folders each time: the second start finds its compiled code in the cache.
  const folders = await openFolders();
  const env = { SUPPLYLINE_BASE_URL: sandbox.baseUrl, SUPPLYLINE_API_KEY: sandbox.apiKey };
  try {
    const { ours, theirs } = await alternating(
      rounds,
      () =>
        timed(async () => {
          const { code, stderr } = await runCli(
            ["accounts", "status", "ACME", "EXT-0000001", "--json"],
            { env, folders },
          );
          if (code !== 0) throw new Error(stderr);
        }),
      () => timed(() => runProgram("-e", ["0"])),
    );
    return [{ name: "command", ours, peer: "node -e 0", theirs, note: "accounts status" }];
  } finally {
    await sandbox.close();
    await folders[Symbol.asyncDispose]();
  }
}
