/** Machines of a team that write the same items while their service, their database and they themselves fail. */
import { runPoints } from "../../src/bulk/run-record.ts";
import { commitPoints } from "../../src/writes/send/events.ts";
import type { Point } from "../driver-input.ts";
import type { Violation } from "../invariants/invariant.ts";
import { campaignFaults } from "../matrix/fault-list.ts";
import { draws } from "../scenarios/draw.ts";
import type { ClientBuild } from "../scenarios/run-driver.ts";
import { runIn } from "../scenarios/stage.ts";
import { pause } from "../scenarios/stopped.ts";
import type { Accounts, WriteKind } from "../writes.ts";
import { compareLedgers } from "./compare.ts";
import { disturbances } from "./disturbances.ts";
import { accountCount, type MachineInput, openTeamStage } from "./machines.ts";

interface TeamOptions {
  readonly where: string;
  readonly seed: number;
  /** The number of writes of all machines. Half of them race with an equal write of another machine. */
  readonly writes: number;
  readonly machines: number;
  readonly client: ClientBuild;
  /** Receives each round when it is over. */
  readonly onDone?: (line: string) => void;
}

export interface TeamResult {
  readonly machines: number;
  readonly rounds: number;
  /** Writes that the journals of all machines have. */
  readonly entries: number;
  /** The entries of the team's ledger, by state. */
  readonly states: Readonly<Record<string, number>>;
  readonly requests: number;
  readonly effects: number;
  /** Requests into which a fault was injected. */
  readonly injected: number;
  /** Processes that were killed, by the point at which they were. */
  readonly kills: Readonly<Record<string, number>>;
  /** The number of rounds of each disturbance. */
  readonly disturbances: Readonly<Record<string, number>>;
  readonly violations: readonly Violation[];
}

/** Documents and money that the service does not recognize if they are sent again. */
const kinds: readonly WriteKind[] = [
  "documents",
  "unchecked transactions",
  "statements",
  "payment instructions",
];

const endpoints = ["notes", "transactions", "statements", "payment-instructions"] as const;

/** A closed port and a pause of the service would stop every machine. */
const faults = campaignFaults.filter(
  ({ closesPort, name }) => !closesPort && !/=1s|^several/.test(name),
);

type Task = Extract<MachineInput["task"], { readonly kind: "write" | "bulk" }>;

/** Returns the points that a task comes to. Only supply points are looked up. */
function pointsOf({ kind }: Task): readonly Point[] {
  const points = commitPoints.filter((point) => point !== "looked-up");
  return kind === "write"
    ? points
    : [...runPoints, ...points.filter((point) => !ofSingle.includes(point))];
}

/** A run records its rows before it sends them, and reports them at their end. */
const ofSingle: readonly Point[] = ["before-intent", "intent-committed", "queued-reported"];

/** Points that are seldom come to, or once in a run. */
const once: readonly Point[] = [
  ...([
    "attempt-recorded",
    "waiting",
    "run-created",
    "recorded",
    "run-claimed",
    "run-ended",
  ] as const),
];

export async function runTeamCampaign(options: TeamOptions): Promise<TeamResult> {
  const { seed, writes, machines, onDone } = options;
  await using stage = await openTeamStage(options);
  // Every fault is injected once at some endpoint, if there are enough writes.
  const all = Math.ceil(faults.length / endpoints.length);
  const rounds = writes < all * machines * disturbances.length ? disturbances.length : all;
  const size = Math.max(4, Math.ceil(writes / rounds / machines));
  const draw = draws(seed);
  const kills: Record<string, number> = {};
  const met: Record<string, number> = {};
  for (let round = 0; round < rounds; round++) {
    const disturbance = disturbances[round % disturbances.length];
    if (disturbance === undefined) continue;
    stage.sandbox.setFaults(faultsOf(round));
    await disturbance.before?.(stage);
    const work = (n: number) => workOf(`t${seed}-${round}`, n, { round, size });
    const running = stage.machines.map(async (machine, n) => {
      const { task, accounts } = work(n);
      const own = disturbance.input?.(n) ?? {};
      const points = pointsOf(task);
      const at = n % 3 === 0 ? points[(round + n) % points.length] : undefined;
      const death =
        at === undefined ? {} : { at, time: once.includes(at) ? 1 : 1 + draw(size / 2) };
      const { ended, lines } = stage.drive(machine, { task, accounts, ...death, ...own });
      if ((await ended).signal !== "SIGKILL" || at === undefined) return;
      kills[at] = (kills[at] ?? 0) + 1;
      await stage.run(machine, { task: { kind: "open" } });
      const run = runIn(lines);
      if (task.kind === "bulk" && run !== null)
        await stage.run(machine, { accounts, task: { ...task, kind: "resume", run } });
    });
    const arrived = stage.watch.seen.length;
    await until(() => stage.watch.seen.length > arrived + size, Promise.all(running));
    await disturbance.during?.(stage);
    await Promise.all(running);
    await stage.watch.quiet();
    await disturbance.after?.(
      stage,
      stage.machines.map((_, n) => work(n)),
    );
    met[disturbance.name] = (met[disturbance.name] ?? 0) + 1;
    onDone?.(`round ${round + 1} of ${rounds}, ${disturbance.name}`);
  }
  stage.sandbox.setFaults([]);
  for (const machine of stage.machines) await stage.run(machine, { task: { kind: "publish" } });
  await stage.watch.quiet();
  const states = await stage.owner(
    "SELECT state, count(*) AS n FROM LEDGER.entry GROUP BY 1 ORDER BY 1",
  );
  return {
    ...{ machines, rounds, kills, disturbances: met },
    ...(await compareLedgers(stage)),
    states: Object.fromEntries(states.map(({ state, n }) => [String(state), Number(n)])),
    requests: stage.watch.seen.filter(({ endpoint }) => endpoint !== "token").length,
    effects: stage.sandbox.ledger().filter(({ cause }) => cause === "request").length,
    injected: stage.watch.seen.filter(({ fault }) => fault !== null).length,
  };
}

/** The share of the requests with a fault. Each waits for its repetition. */
const percent = 20;

/** Returns the faults of a round, another one at each endpoint. */
function faultsOf(round: number): readonly string[] {
  return endpoints.flatMap((endpoint, n) => {
    const fault = faults[(round * endpoints.length + n) % faults.length];
    return (fault?.specs(endpoint) ?? []).map((spec) => spec.replace(/%\d+$/, `%${percent}`));
  });
}

/**
 * Returns the task of a machine. Two machines have the same items: single writes, or a run. They have
 * accounts of their own, because others would wait for these.
 */
function workOf(
  mark: string,
  machine: number,
  { round, size }: { readonly round: number; readonly size: number },
): { readonly task: Task; readonly accounts: Accounts } {
  const pair = Math.floor(machine / 2);
  const own = `${mark}-${pair}`;
  const count = Math.min(size, 1_000);
  const accounts = { first: 1 + (((round * 8 + pair) * count) % (accountCount - count)), count };
  if (pair % 2 === 0)
    return { accounts, task: { kind: "write", mark: own, kinds, writes: size, together: 8 } };
  const of = pair % 4 === 1 ? "payment-instructions" : "statements";
  return { accounts, task: { kind: "bulk", of, mark: own, rows: size } };
}

/** Resolves when a condition holds, or when the machines have ended. */
async function until(holds: () => boolean, end: Promise<unknown>): Promise<void> {
  let isOver = false;
  void end.finally(() => {
    isOver = true;
  });
  while (!isOver && !holds()) await pause(20);
}
