import { cleanEnvironment, type Folders, openFolders } from "../test/helpers/folders.ts";
import type { Benchmark } from "./measure/benchmark.ts";
import { pause } from "./measure/clock.ts";
import { type Console, openLoadedList } from "./measure/console.ts";
import { type Lists, openLists } from "./measure/lists.ts";
import { installed, run } from "./measure/peers.ts";
import { processorTime } from "./measure/process-figures.ts";
import { inTurn, isSkipped } from "./measure/rounds.ts";
import { TimedTerminal } from "./measure/terminal.ts";

const watched = 100;
/** 36 of the hundred are open, and each is looked at every 5 seconds. */
const requestsPerSecond = 7.2;

/**
 * Watching a hundred accounts that do not change, in a terminal: how much of a core it takes and how
 * much it writes, once it has settled. Beside htop, which looks as often, and beside the same requests
 * made by undici alone, without a screen or a look at the answers.
 */
export const idle: Benchmark = async ({ idleSeconds }) => {
  await using folders = await openFolders();
  await using lists = await openLists(watched);
  const htop = installed("htop");
  const env = cleanEnvironment(folders.home);
  const none = processorTime(process.pid);
  const reading = await inTurn(1, {
    ours: async () => {
      await using terminal = await openWatch(lists, folders);
      return await resting(terminal, idleSeconds);
    },
    htop:
      typeof htop === "string"
        ? async () => {
            await using terminal = new TimedTerminal(htop, ["-d", "50"], { env });
            await terminal.until("PID");
            return await resting(terminal, idleSeconds);
          }
        : htop,
    undici: () => askingAlone(lists, idleSeconds),
  });
  return {
    "share of a core": {
      ours: isSkipped(none) ? none : reading("ours", "core"),
      peers: {
        "htop, every 5 s": isSkipped(none) ? none : reading("htop", "core"),
        "undici alone, as many requests": reading("undici", "core"),
      },
    },
    "to the terminal": {
      ours: reading("ours", "bytes"),
      peers: { "htop, every 5 s": reading("htop", "bytes") },
    },
  };
};

/** The watch list with the hundred accounts in it, each looked at once, in a second start. */
async function openWatch(lists: Lists, folders: Folders): Promise<Console> {
  {
    // A first start stores the code that it has compiled, which is no rest.
    await using first = await openLoadedList(lists, folders);
    first.send("W");
    await first.until("Nothing is watched yet");
    first.send("q");
    await first.ended;
  }
  const console = await openLoadedList(lists, folders);
  console.send("+");
  await console.until(`${watched} marked`);
  console.send("w");
  await console.quiet(500);
  console.send("W");
  await console.until((screen) => screen.includes("COMPLETED") && !screen.includes("[All"));
  await console.quiet(500);
  return console;
}

/** As many requests for a status as the console makes for the accounts that are open. */
async function askingAlone(lists: Lists, seconds: number): Promise<{ core: number }> {
  const url = new URL("/v1/data-import/account-transfer-status/ACME/EXT-0000001/", lists.url);
  const script = `
    import { request } from ${JSON.stringify(import.meta.resolve("undici"))};
    const ask = async () => {
      const { body } = await request(${JSON.stringify(url.href)});
      await body.json();
    };
    const timer = setInterval(ask, ${1000 / requestsPerSecond});
    const pause = (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));
    await pause(${settling(seconds)});
    const from = performance.now();
    const before = process.cpuUsage();
    await pause(${seconds});
    const { user, system } = process.cpuUsage(before);
    clearInterval(timer);
    console.log(JSON.stringify({ core: (user + system) / 10 / (performance.now() - from) }));`;
  const { stdout } = await run(process.execPath, ["--input-type=module", "-e", script]);
  return JSON.parse(stdout) as { core: number };
}

/** Seconds before it counts: compiling and the first looks are not rest. */
function settling(seconds: number): number {
  return Math.min(20, seconds);
}

async function resting(
  terminal: TimedTerminal,
  seconds: number,
): Promise<{ core: number; bytes: number }> {
  await pause(settling(seconds) * 1000);
  const cpu = processorTime(terminal.pid);
  const bytes = terminal.bytes;
  await pause(seconds * 1000);
  const used = processorTime(terminal.pid);
  const ms = isSkipped(cpu) || isSkipped(used) ? Number.NaN : used - cpu;
  return { core: (ms / (seconds * 1000)) * 100, bytes: (terminal.bytes - bytes) / seconds };
}
