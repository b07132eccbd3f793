/** Overrides of the duplicate guard: each passes its findings, and nothing that arises later. */
import { type Evidence, landings, placeOf } from "../evidence.ts";
import type { Invariant, Violation } from "../invariants/invariant.ts";
import { accountName } from "../writes.ts";
import {
  openStage,
  runIn,
  type ScenarioOptions,
  type ScenarioResult,
  type Stage,
} from "./stage.ts";
import { stoppedState } from "./stopped.ts";

/** Rows of a run that another process pays by hand. */
const byHand = 8;

/** Each row of a run has an account, so that no payment waits for another. */
const maxRows = 64;

const kinds = ["payment instructions"] as const;

/** Rules about entries alone, which do not know the item of another entry. */
const aboutSingleEntries = ["one effect", "refused had no effect"];

export async function overrides(options: ScenarioOptions): Promise<ScenarioResult> {
  const rows = Math.min(maxRows, Math.max(40, options.size * 2));
  const stages = [
    await paidBeforeResume(options, rows),
    await paidDuringRun(options, rows),
    await paidDuringQuestion(options),
  ];
  return {
    name: "overrides, and what arises after them",
    writes: rows * 2 + stages.length,
    injected: 2 * byHand + 1,
    violations: stages.flat(),
    recoveryMs: [],
  };
}

/** A run with an override is killed, and some of its rows are paid by hand before it is resumed. */
async function paidBeforeResume(options: ScenarioOptions, rows: number) {
  await using stage = await openStage(options, ["latency=30ms@writes"]);
  const mark = `or${options.seed}`;
  const input = { of: "payment-instructions", mark, rows } as const;
  await pay(stage, mark, 0, 1);
  const task = { kind: "bulk", ...input, again: true } as const;
  const killed = stage.drive({ task, at: "row-settled", time: 2 });
  await killed.ended;
  await stage.watch.quiet();
  await pay(stage, mark, rows - byHand, byHand);
  const run = runIn(killed.lines) ?? "";
  await stage.drive({ task: { kind: "resume", run, ...input } }).ended;
  await stage.watch.quiet();
  return await brokenIn(stage, effectsOf(mark, rows, "resume"));
}

/** The run is stopped after its first rows, and continues after others are paid by hand. */
async function paidDuringRun(options: ScenarioOptions, rows: number) {
  await using stage = await openStage(options, ["latency=30ms@writes"]);
  const mark = `od${options.seed}`;
  await pay(stage, mark, 0, 1);
  const running = stage.drive({
    task: { kind: "bulk", of: "payment-instructions", mark, rows, again: true },
    at: "row-settled",
    time: 2,
    signal: "SIGSTOP",
  });
  await stoppedState(running.child.pid ?? 0);
  await pay(stage, mark, rows - byHand, byHand);
  running.child.kill("SIGCONT");
  await running.ended;
  await stage.watch.quiet();
  return await brokenIn(stage, effectsOf(mark, rows, "run"));
}

/** A refused payment is paid by another process while the question of the reason is open. */
async function paidDuringQuestion(options: ScenarioOptions) {
  await using stage = await openStage(options, ["400@payment-instructionsx1"]);
  const mark = `oq${options.seed}`;
  await pay(stage, mark, 0, 1);
  const asking = stage.drive({ task: { kind: "again", mark, n: 0, stop: true } });
  await stoppedState(asking.child.pid ?? 0);
  await stage.drive({ task: { kind: "again", mark, n: 0, stop: false } }).ended;
  asking.child.kill("SIGCONT");
  await asking.ended;
  await stage.watch.quiet();
  return await brokenIn(stage, effectsAre("question", new Map([[placeOfPayment(mark, 0), 1]])));
}

async function pay(stage: Stage, mark: string, from: number, writes: number): Promise<void> {
  await stage.drive({ task: { kind: "write", mark, kinds, from, writes, together: writes } }).ended;
}

function placeOfPayment(mark: string, n: number): string {
  return placeOf(accountName(n), `GOODPAY/${mark}-${n}`);
}

/** Every row once, and the first one twice, because it was overridden. */
function effectsOf(mark: string, rows: number, what: string): Invariant {
  const places = Array.from({ length: rows }, (_, n) => placeOfPayment(mark, n));
  return effectsAre(what, new Map(places.map((place, n) => [place, n === 0 ? 2 : 1])));
}

function effectsAre(what: string, wanted: ReadonlyMap<string, number>): Invariant {
  return {
    name: "an override passes its findings only",
    promise: "what was found is sent again, and every other row asks the guard",
    broken: ({ effects }: Evidence) => {
      const counts = landings(effects);
      return [...wanted]
        .map(([place, n]) => ({ place, n, found: counts.get(place) ?? 0 }))
        .filter(({ n, found }) => n !== found)
        .map(({ place, n, found }) => `${what}: ${place} took effect ${found} times, not ${n}`);
    },
  };
}

async function brokenIn(stage: Stage, exact: Invariant): Promise<readonly Violation[]> {
  const found = stage.check("running", [exact]);
  return [
    ...found.filter(({ invariant }) => !aboutSingleEntries.includes(invariant)),
    ...(await stage.summary("effects")),
  ];
}
