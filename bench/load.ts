import { rm } from "node:fs/promises";
import { type Folders, openFolders } from "../test/helpers/folders.ts";
import type { Benchmark } from "./measure/benchmark.ts";
import { Console, loaded, openWaitingList, recorded } from "./measure/console.ts";
import { curlOf, openLists, parseWholeOf, thrownAwayOf } from "./measure/lists.ts";
import { timed, withInstalled } from "./measure/peers.ts";
import { peakMemory } from "./measure/process-figures.ts";
import { inTurn, isSkipped, type Reading } from "./measure/rounds.ts";
import { startSandboxProcess } from "./measure/sandbox-process.ts";

const toTsv =
  ".[] | [.external_account_number, .service_account_number, .account_created_at] | @tsv";

/**
 * From the first byte of the service's answer (INTERFACE 4.9) until the screen says that the last
 * row is in the table; with the most memory the process has held, and how late its event loop was.
 * The list is recorded as an observation, as a later one; beside it without recording, and
 * where it is recorded for the first time. The memory is that at the end of the recording.
 */
export const load: Benchmark = async ({ rounds, accounts, slowPeers }) => {
  await using folders = await openFolders();
  await using lists = await openLists(accounts);
  let peak: Reading = Number.NaN;
  const ours = async (recording: "0" | "1") => {
    const env = { SUPPLYLINE_OBSERVE: recording };
    await using console = await openWaitingList(lists, folders, { probed: true, env });
    await console.loopDelay();
    const from = await lists.release();
    const ms = (await console.until(loaded)) - from;
    const delay = await console.loopDelay();
    if (recording === "1") await console.until(recorded);
    peak = peakMemory(console.pid);
    return { ms, mb: isSkipped(peak) ? Number.NaN : peak, p99: delay.p99, max: delay.max };
  };
  const reading = await inTurn(rounds, {
    // Of a supplier that was never observed.
    without: async () => {
      await rm(folders.state, { recursive: true, force: true });
      return ours("0");
    },
    first: () => ours("1"),
    ours: () => ours("1"),
    curl: curlOf(lists.url),
    bytes: thrownAwayOf(lists),
    parse: parseWholeOf(lists),
  });
  const slow = slowPeers ? rounds : 0;
  const slowly = await inTurn(Math.min(1, slow), {
    jq: withInstalled(["curl", "jq"], () =>
      timed("sh", ["-c", 'curl -sf "$1" | jq -r "$2" >/dev/null', "sh", lists.url, toTsv]),
    ),
    visidata: withInstalled(["curl", "vd"], () =>
      timed("sh", ["-c", 'curl -sf "$1" | vd -b -f json -o /dev/null -', "sh", lists.url], {
        env: { HOME: folders.home, TERM: "xterm" },
      }),
    ),
  });
  const notNow = { skipped: "too slow for a small run" };
  const peers = {
    "curl -o /dev/null": reading("curl", "ms"),
    "undici, bytes thrown away": reading("bytes", "ms"),
    "fetch and JSON.parse": reading("parse", "ms"),
    "curl | jq to TSV": slow ? slowly("jq", "ms") : notNow,
    "curl | visidata": slow ? slowly("visidata", "ms") : notNow,
  };
  const sandbox = await ofTheSandbox(rounds, accounts, folders);
  return {
    "last row, of the sandbox": {
      ours: sandbox("ours", "ms"),
      peers: { "curl -o /dev/null": sandbox("curl", "ms") },
    },
    "last row": { ours: reading("ours", "ms"), peers },
    "last row, not recorded": { ours: reading("without", "ms"), peers },
    "last row, recorded for the first time": { ours: reading("first", "ms"), peers },
    "peak memory": {
      ours: isSkipped(peak) ? peak : reading("ours", "mb"),
      peers: { "fetch and JSON.parse": reading("parse", "mb") },
    },
    "peak memory, not recorded": { ours: isSkipped(peak) ? peak : reading("without", "mb") },
    "peak memory, recorded for the first time": {
      ours: isSkipped(peak) ? peak : reading("first", "mb"),
    },
    "loop delay p99": { ours: reading("ours", "p99") },
    "loop delay p99, not recorded": { ours: reading("without", "p99") },
    "loop delay, longest": { ours: reading("ours", "max") },
  };
};

/**
 * The same from a service that makes its rows as it goes: from the screen that says that the list is
 * asked for, the call for a token included, to the one that says that it is there.
 */
async function ofTheSandbox(rounds: number, accounts: number, folders: Folders) {
  await using sandbox = await startSandboxProcess(accounts);
  const url = `${sandbox.baseUrl}/v1/data-import/all-account-import-processes/ACME/`;
  return await inTurn(rounds, {
    ours: async () => {
      // As curl does it: what compression costs on loopback is measured by `wire`.
      const env = { ...sandbox.env, SUPPLYLINE_COMPRESSION: "off" };
      await using console = new Console(["open", "ACME"], folders, { env });
      const from = await console.until("loading…");
      return { ms: (await console.until(/accounts .*\bloaded /)) - from };
    },
    curl: curlOf(url, sandbox.token),
  });
}
