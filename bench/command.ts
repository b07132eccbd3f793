import { openFolders } from "../test/helpers/folders.ts";
import { runCli } from "../test/helpers/process.ts";
import type { Benchmark } from "./measure/benchmark.ts";
import { now } from "./measure/clock.ts";
import { timed, withInstalled } from "./measure/peers.ts";
import { inTurn } from "./measure/rounds.ts";
import { startSandboxProcess } from "./measure/sandbox-process.ts";

/** `accounts status` of one account as a whole process, the call for a token included. */
export const command: Benchmark = async ({ rounds }) => {
  await using sandbox = await startSandboxProcess(120);
  // The same folders each time: the start that counts finds its compiled code in the cache.
  await using folders = await openFolders();
  const url = `${sandbox.baseUrl}/v1/data-import/account-transfer-status/ACME/EXT-0000001/`;
  const reading = await inTurn(rounds, {
    ours: async () => {
      const from = now();
      const args = ["accounts", "status", "ACME", "EXT-0000001", "--json"];
      const { code, stderr } = await runCli(args, { env: sandbox.env, folders });
      if (code !== 0) throw new Error(stderr);
      return { ms: now() - from };
    },
    node: () => timed(process.execPath, ["-e", "0"]),
    curl: withInstalled(["curl"], () =>
      timed("curl", ["-sf", "-H", `authorization: Token ${sandbox.token}`, url]),
    ),
  });
  return {
    "accounts status": {
      ours: reading("ours", "ms"),
      peers: { "node -e 0": reading("node", "ms"), "curl, with a token": reading("curl", "ms") },
    },
  };
};
