/** The terminal is closed under the built program while it writes, as when a connection goes. */

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { spawn } from "@lydell/node-pty";
import { startSandbox } from "../../src/sandbox/index.ts";
import { readJournal } from "../evidence.ts";
import { type Violation, violationsIn } from "../invariants/invariant.ts";
import { invariants } from "../invariants/journal-and-ledger.ts";
import { witness } from "../matrix/witness.ts";
import { secretsIn } from "../secrets.ts";
import { accountName, supplier } from "../writes.ts";
import type { ScenarioOptions, ScenarioResult } from "./stage.ts";

const program = resolve(import.meta.dirname, "../../dist/cli.js");

/** A function of the pseudo-terminal that its type does not declare: it closes the master side. */
interface Closable {
  destroy(): void;
}

export async function closedTerminal(options: ScenarioOptions): Promise<ScenarioResult> {
  const violations: Violation[] = [];
  let injected = 0;
  let writes = 0;
  // While a request is under way, and while a resend is waited for.
  for (const fault of ["hang@notes", "reset-after@notes"]) {
    for (const rows of [1, 40]) {
      violations.push(...(await closeOnce(options, [fault], rows)));
      injected += 1;
      writes += rows;
    }
  }
  return { name: "closed terminal", writes, injected, violations, recoveryMs: [] };
}

async function closeOnce(
  { where, seed }: ScenarioOptions,
  specs: readonly string[],
  rows: number,
): Promise<readonly Violation[]> {
  const home = await mkdtemp(join(where, "terminal-"));
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
  const watch = witness(() => {});
  const sandbox = await startSandbox({
    seed,
    suppliers: [supplier],
    faults: specs,
    observer: {
      arrived: (arrival) => {
        watch.arrived(arrival);
        if (arrival.endpoint === "notes") arrive();
      },
      ended: watch.ended,
    },
  });
  const state = join(home, "state");
  try {
    const args = await commandFor(home, seed, rows);
    const terminal = spawn(process.execPath, [program, ...args], {
      cols: 80,
      rows: 24,
      cwd: home,
      env: {
        PATH: process.env.PATH ?? "",
        HOME: home,
        TERM: "xterm-256color",
        LANG: "C.UTF-8",
        SUPPLYLINE_CONFIG_DIR: join(home, "config"),
        SUPPLYLINE_STATE_DIR: state,
        SUPPLYLINE_BASE_URL: sandbox.baseUrl,
        SUPPLYLINE_API_KEY: sandbox.apiKey,
      },
    });
    let shown = "";
    terminal.onData((text) => {
      shown += text;
    });
    const gone = new Promise<string>((end) =>
      terminal.onExit(({ exitCode }) => end(`${exitCode}`)),
    );
    const first = await Promise.race([arrived.then(() => null), gone]);
    if (first !== null) {
      const what = `the program ended (${first}) before it sent anything: ${shown}`;
      return [{ invariant: "the campaign itself", what }];
    }
    (terminal as unknown as Closable).destroy();
    await ended(terminal.pid);
    await watch.quiet();
    const evidence = {
      ...readJournal(join(state, "journal.sqlite")),
      effects: sandbox.ledger(),
      seen: watch.seen,
      reported: [],
      secretsFound: secretsIn(state, sandbox.apiKey),
    };
    // The summary is not compared: nothing has recovered the journal, and notes have no sum.
    const lost = evidence.entries.length === rows ? [] : [`${evidence.entries.length} entries`];
    return [
      ...violationsIn(evidence, invariants),
      ...lost.map((what) => ({ invariant: "no intent lost", what })),
    ];
  } finally {
    await sandbox.close();
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** One note by its own command, several as a bulk run; every row is on record before one is sent. */
async function commandFor(home: string, seed: number, rows: number): Promise<readonly string[]> {
  if (rows === 1) {
    const body = `closed ${seed}`;
    return ["notes", "create", supplier.code, accountName(1), "--body", body, "--yes"];
  }
  const lines = Array.from(
    { length: rows },
    (_, n) => `${supplier.code},${accountName(n)},closed ${seed} ${n}`,
  );
  const from = join(home, "notes.csv");
  const text = ["import_supplier,external_account_number,body", ...lines, ""].join("\n");
  await writeFile(from, text);
  return ["bulk", "run", "notes", "--from", from, "--yes"];
}

/** The hang-up ends the program; one that stays is ended, which its journal must bear as well. */
async function ended(pid: number): Promise<void> {
  for (let n = 0; n < 200; n++) {
    try {
      process.kill(pid, 0);
    } catch {
      return;
    }
    await new Promise((wake) => setTimeout(wake, 50));
  }
  process.kill(pid, "SIGKILL");
}
