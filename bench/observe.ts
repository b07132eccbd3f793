import { rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { systemClock } from "../src/api/clock.ts";
import { openObservations } from "../src/triage/observations/open-observations.ts";
import { type Folders, openFolders } from "../test/helpers/folders.ts";
import type { Benchmark } from "./measure/benchmark.ts";
import { now } from "./measure/clock.ts";
import { loaded, openWaitingList, recorded } from "./measure/console.ts";
import { type Lists, openLists } from "./measure/lists.ts";
import { measured } from "./measure/measured-command.ts";
import { inTurn } from "./measure/rounds.ts";

const list = ["accounts", "list", "ACME", "--format", "jsonl", "--quiet"];
const recording = { SUPPLYLINE_OBSERVE: "1" };

/**
 * `accounts list` with its list recorded as an observation, beside the same without: of a supplier
 * that was never observed, and of one that is observed again with a thousand changes. Then the ages
 * of all accounts are read, and a console loads the list and records it: of both times the later
 * event loop counts.
 */
export const observe: Benchmark = async ({ rounds, accounts }) => {
  await using folders = await openFolders();
  await using lists = await openLists(accounts);
  const file = join(folders.state, "observations.sqlite");
  let changed = 0;
  const reading = await inTurn(rounds, {
    none: () => measured(lists, folders, list, 0),
    first: async () => {
      await rm(folders.state, { recursive: true, force: true });
      return measured(lists, folders, list, 0, recording);
    },
    again: async () => {
      changed = changed === 0 ? Math.min(1000, accounts / 2) : 0;
      await lists.serve(changed);
      const sample = await measured(lists, folders, list, 0, recording);
      await lists.serve(0);
      return { ...sample, file: (await stat(file)).size / 1e6 };
    },
    ages: () => readAges(lists, folders),
    console: () => loadInConsole(lists, folders),
  });
  const without = { "without recording": reading("none", "ms") };
  return {
    "a first list, recorded": { ours: reading("first", "ms"), peers: without },
    "another list, recorded": { ours: reading("again", "ms"), peers: without },
    "processor time": {
      ours: reading("again", "cpu"),
      peers: { "without recording": reading("none", "cpu") },
    },
    "peak memory": {
      ours: reading("again", "mb"),
      peers: { "without recording": reading("none", "mb") },
    },
    "ages of all accounts": { ours: reading("ages", "ms") },
    file: { ours: reading("again", "file") },
    "loop delay p99": { ours: reading("console", "p99") },
    "loop delay, longest": { ours: reading("console", "max") },
  };
};

async function readAges({ env, accounts }: Lists, { state }: Folders) {
  const origin = env.SUPPLYLINE_BASE_URL ?? "";
  const options = { folder: state, origin, clock: systemClock, recording: true };
  const observations = await openObservations(options);
  const from = now();
  const ages = await observations.ages("ACME");
  const ms = now() - from;
  if (ages?.rows !== accounts) throw new Error(`${ages?.rows} accounts were recorded`);
  await observations.close();
  return { ms };
}

async function loadInConsole(lists: Lists, folders: Folders) {
  await lists.serve(0);
  await using console = await openWaitingList(lists, folders, { probed: true });
  await console.loopDelay();
  await lists.release();
  await console.until(loaded);
  const loading = await console.loopDelay();
  await console.until(recorded);
  const recording = await console.loopDelay();
  return {
    p99: Math.max(loading.p99, recording.p99),
    max: Math.max(loading.max, recording.max),
  };
}
