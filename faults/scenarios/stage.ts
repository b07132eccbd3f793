/** A sandbox, a state folder, and processes of the program that can be stopped, killed and replaced. */
import type { ChildProcess } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { type Sandbox, startSandbox } from "../../src/sandbox/index.ts";
import { openJournal } from "../../src/writes/journal/open-journal.ts";
import type { DriverInput } from "../driver-input.ts";
import { type Evidence, type Reported, readJournal, readRuns } from "../evidence.ts";
import { type Counted, summaryViolations } from "../invariants/done-and-ledger.ts";
import { type Invariant, type Violation, violationsIn } from "../invariants/invariant.ts";
import { afterRecovery, invariants } from "../invariants/journal-and-ledger.ts";
import { type Witness, witness } from "../matrix/witness.ts";
import { secretsIn } from "../secrets.ts";
import { supplier } from "../writes.ts";
import { type ClientBuild, startDriver } from "./run-driver.ts";

/** The result of a scenario. */
export interface ScenarioResult {
  readonly name: string;
  readonly writes: number;
  /** Faults injected, kills and stops among them. */
  readonly injected: number;
  readonly violations: readonly Violation[];
  /** Milliseconds of each recovery. */
  readonly recoveryMs: readonly number[];
  /** Figures of its own, a line each. */
  readonly measured?: readonly string[];
  /** The reason for which the scenario was not run, or only in part. */
  readonly notice?: string;
}

export interface ScenarioOptions {
  readonly where: string;
  readonly seed: number;
  /** The number of writes, with which each scenario scales. */
  readonly size: number;
  readonly client: ClientBuild;
}

export interface Driven {
  readonly child: ChildProcess;
  /** Lines so far. */
  readonly lines: readonly string[];
  readonly ended: Promise<{ readonly signal: string | null }>;
  /** Resolves once a line begins with these words; rejects when it ends without. */
  said(words: string): Promise<string>;
}

type DriveInput = Omit<DriverInput, "folder" | "configDir" | "baseUrl" | "apiKey"> & {
  readonly folder?: string;
};

export interface Stage extends AsyncDisposable {
  readonly sandbox: Sandbox;
  readonly watch: Witness;
  readonly folder: string;
  readonly configDir: string;
  /**
   * `folder` is that of another client, which is not checked. `limit`: no file may grow beyond this
   * many bytes, as where a disk is full.
   */
  drive(input: DriveInput, limit?: number): Driven;
  /**
   * Returns the violations at this point. `recovered` is the state after all processes have ended
   * and one has recovered the journal.
   */
  check(when: "running" | "recovered", more?: readonly Invariant[]): readonly Violation[];
  /**
   * Returns the differences between the summary of what took effect and the ledger. All processes have
   * ended. `counted` says if an item counts once, or each of its effects, which have an entry each.
   */
  summary(counted?: Counted): Promise<readonly Violation[]>;
  /** The run that the journal holds, for a process that was killed before it could report it. */
  newestRun(): string | null;
  /** Starts a process that only opens the journal; its milliseconds, and whether anything was sent. */
  recover(): Promise<{ readonly ms: number; readonly violations: readonly Violation[] }>;
}

export async function openStage(
  options: ScenarioOptions,
  faults: readonly string[],
): Promise<Stage> {
  const folder = await mkdtemp(join(options.where, "scenario-"));
  const configDir = await mkdtemp(join(options.where, "config-"));
  const watch = witness(() => {});
  const { seed, client } = options;
  const sandbox = await startSandbox({
    seed,
    speed: 0,
    suppliers: [supplier],
    observer: watch,
    faults,
  });
  const all: Driven[] = [];
  const own: Driven[] = [];
  const drive: Stage["drive"] = (input, limit) => {
    const { baseUrl, apiKey } = sandbox;
    const driven = startDriven(
      { folder, configDir, baseUrl, apiKey, ...input },
      client,
      limit ?? null,
    );
    all.push(driven);
    if (input.folder === undefined) own.push(driven);
    return driven;
  };
  const evidence = (): Evidence => ({
    ...readJournal(join(folder, "journal.sqlite")),
    effects: sandbox.ledger(),
    seen: watch.seen,
    reported: own.flatMap(({ lines }) => reportedIn(lines)),
    secretsFound: secretsIn(folder, sandbox.apiKey),
  });
  return {
    sandbox,
    watch,
    folder,
    configDir,
    drive,
    check: (when, more = []) =>
      violationsIn(evidence(), [
        ...invariants,
        ...(when === "recovered" ? afterRecovery : []),
        ...more,
      ]),
    summary: async (counted = "items") => {
      const journal = await openJournal({ folder });
      try {
        return await summaryViolations(journal, sandbox.ledger(), counted);
      } finally {
        await journal.close();
      }
    },
    newestRun: () => readRuns(join(folder, "journal.sqlite")).at(0) ?? null,
    recover: async () => {
      // A process that was killed has left requests in its sockets, which a busy service reads later.
      await sandbox.setListening(false);
      await sandbox.setListening(true);
      const before = watch.seen.filter(({ endpoint }) => endpoint !== "token").length;
      const from = performance.now();
      const { ended, said } = drive({ task: { kind: "open" } });
      await said("opened");
      const ms = performance.now() - from;
      await ended;
      const sent = watch.seen.filter(({ endpoint }) => endpoint !== "token").length - before;
      const what = `${sent} requests were made by opening the journal`;
      return { ms, violations: sent > 0 ? [{ invariant: "recovery sends nothing", what }] : [] };
    },
    [Symbol.asyncDispose]: async () => {
      for (const { child } of all) child.kill("SIGKILL");
      await Promise.all(all.map(({ ended }) => ended));
      await sandbox.close();
      for (const each of [folder, configDir])
        await rm(each, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Starts the driver in a process. `limit`: no file may grow beyond this many bytes. */
export function startDriven(input: DriverInput, client: ClientBuild, limit: number | null): Driven {
  const child = startDriver("driver.ts", [JSON.stringify(input)], client, limit);
  child.stderr.pipe(process.stderr);
  const lines: string[] = [];
  let listeners: (() => void)[] = [];
  let rest = "";
  let over = false;
  const ring = () => {
    for (const listener of listeners.splice(0)) listener();
  };
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    const parts = (rest + text).split("\n");
    rest = parts.pop() ?? "";
    lines.push(...parts);
    ring();
  });
  const { promise: ended, resolve } = Promise.withResolvers<{ readonly signal: string | null }>();
  child.on("close", (_code, signal) => {
    over = true;
    resolve({ signal });
    ring();
  });
  const said = async (words: string): Promise<string> => {
    for (;;) {
      const found = lines.find((line) => line.startsWith(words));
      if (found !== undefined) return found;
      if (over) throw new Error(`the process has ended before it said "${words}"`);
      await new Promise<void>((wake) => {
        listeners = [...listeners, wake];
      });
    }
  };
  return { child, lines, ended, said };
}

const toldWords = ["queued", "confirmed", "rejected", "retryable", "unknown", "unsent"];

export function reportedIn(lines: readonly string[]): Reported[] {
  return lines.flatMap((line) => {
    const [word = "", id = ""] = line.split(" ");
    return toldWords.includes(word) ? [{ journalId: Number(id), word }] : [];
  });
}

/** The id that `bulk` printed; null when it was killed before. */
export function runIn(lines: readonly string[]): string | null {
  return lines.find((line) => line.startsWith("run "))?.slice(4) ?? null;
}
