/** kill -9 at every named point of a write and of a bulk run, and what the next processes make of it. */
import { runPoints } from "../../src/bulk/run-record.ts";
import { commitPoints } from "../../src/writes/send/events.ts";
import { type Point, type RunKind, writeKindOf } from "../driver-input.ts";
import type { Invariant, Violation } from "../invariants/invariant.ts";
import { isDeduplicated, type WriteKind, writeKinds } from "../writes.ts";
import { draws } from "./draw.ts";
import { runRules } from "./run-rules.ts";
import { openStage, runIn, type ScenarioOptions, type ScenarioResult } from "./stage.ts";

/** Without a fault now and then the points of a resend would never be come to. */
const nowAndThen = ["reset-after@writes%20", "503@writes%10"];

/** Requires that each reported outcome is on disk, of a process that sends each write once. */
const endsAreRecorded: Invariant = {
  name: "reported is recorded",
  promise: "an outcome is on disk before it is reported",
  broken: ({ reported, entries }) => {
    const open = new Set(
      entries.filter(({ state }) => state === "intent" || state === "sending").map(({ id }) => id),
    );
    return reported
      .filter(({ journalId, word }) => word !== "queued" && open.has(journalId))
      .map(({ journalId, word }) => `${word} was reported for entry ${journalId}, which is open`);
  },
};

/** Kills a process at one point while it writes everything there is to write, and looks after it. */
export async function killedWriting(
  options: ScenarioOptions,
  at: Point,
  kinds: readonly WriteKind[] = writeKinds,
): Promise<ScenarioResult> {
  await using stage = await openStage(options, nowAndThen);
  const writes = options.size;
  const draw = draws(options.seed);
  const seldom = ["attempt-recorded", "waiting", "looked-up"].includes(at);
  const time = 1 + draw(seldom ? 1 : Math.max(1, writes - 2));
  const task = { kind: "write", mark: `k${options.seed}`, kinds, writes, together: 4 } as const;
  const { signal } = await stage.drive({ task, at, time }).ended;
  await stage.watch.quiet();
  const violations: Violation[] = [];
  if (signal !== "SIGKILL") {
    violations.push({ invariant: "the campaign itself", what: `it never came to ${at}` });
  }
  violations.push(...stage.check("running", [endsAreRecorded]));
  const { ms, violations: sent } = await stage.recover();
  violations.push(...sent, ...stage.check("recovered"));
  await stage.drive({ task: { kind: "verify" } }).ended;
  await stage.watch.quiet();
  violations.push(...stage.check("recovered"), ...(await stage.summary()));
  const injected = 1 + stage.watch.seen.filter(({ fault }) => fault !== null).length;
  return { name: `kill -9 at ${at}`, writes, injected, violations, recoveryMs: [ms] };
}

/** Kills a run at one point, as often as there is anything left to kill, and lets the last one end. */
export async function killedRun(
  options: ScenarioOptions,
  at: Point,
  of: RunKind,
): Promise<ScenarioResult> {
  const faults = isDeduplicated(writeKindOf[of]) ? ["reset-after@writes%10"] : [];
  await using stage = await openStage(options, faults);
  const rows = options.size;
  const mark = `b${options.seed}`;
  const draw = draws(options.seed);
  const input = { of, mark, rows };
  const violations: Violation[] = [];
  const recoveryMs: number[] = [];
  const most = at === "rows-recorded" ? 1 : Math.max(1, Math.floor(rows / 3));
  let killed = 0;
  let run: string | null = null;
  for (let n = 0; n < 3; n++) {
    const time = runPoints.includes(at as never) && at !== "row-settled" ? 1 : 1 + draw(most);
    const task =
      run === null
        ? ({ kind: "bulk", ...input } as const)
        : ({ kind: "resume", run, ...input } as const);
    const driven = stage.drive({ task, at, time });
    const { signal } = await driven.ended;
    run ??= runIn(driven.lines);
    if (run === null) run = stage.newestRun();
    await stage.watch.quiet();
    violations.push(...stage.check("running", runRules(mark, input)));
    if (signal !== "SIGKILL") break;
    killed += 1;
    const { ms, violations: sent } = await stage.recover();
    recoveryMs.push(ms);
    violations.push(...sent);
  }
  if (killed === 0) {
    violations.push({ invariant: "the campaign itself", what: `it never came to ${at}` });
  }
  if (run !== null) {
    stage.sandbox.setFaults([]);
    await stage.drive({ task: { kind: "resume", run, ...input } }).ended;
    await stage.watch.quiet();
    violations.push(...stage.check("recovered", runRules(mark, { ...input, ended: true })));
    violations.push(...(await stage.summary()));
  }
  const injected = killed + stage.watch.seen.filter(({ fault }) => fault !== null).length;
  return { name: `bulk ${of}, kill -9 at ${at}`, writes: rows, injected, violations, recoveryMs };
}

const everyKind = [
  "reset-after@writes%5",
  "reset-before@writes%5",
  "truncate@writes%5",
  "503@writes%5",
  "429=1s@writes%2",
  "401@writes%2",
] as const;

/** A run at full width while the service fails in many ways, and its resume when all is well again. */
export async function faultyRun(options: ScenarioOptions, of: RunKind): Promise<ScenarioResult> {
  await using stage = await openStage(options, everyKind);
  const rows = options.size * 4;
  const mark = `f${options.seed}`;
  const input = { of, mark, rows };
  const driven = stage.drive({ task: { kind: "bulk", ...input } });
  await driven.ended;
  await stage.watch.quiet();
  const violations: Violation[] = [...stage.check("running", runRules(mark, input))];
  const { ms, violations: sent } = await stage.recover();
  violations.push(...sent);
  stage.sandbox.setFaults([]);
  const run = runIn(driven.lines);
  if (run !== null) await stage.drive({ task: { kind: "resume", run, ...input } }).ended;
  await stage.watch.quiet();
  violations.push(...stage.check("recovered", runRules(mark, { ...input, ended: true })));
  violations.push(...(await stage.summary()));
  const injected = stage.watch.seen.filter(({ fault }) => fault !== null).length;
  return { name: `bulk ${of} under faults`, writes: rows, injected, violations, recoveryMs: [ms] };
}

/**
 * The points at which a process is killed that makes single writes. Without a team, the points of its
 * ledger are never reached.
 */
export const writePoints: readonly Point[] = commitPoints.filter(
  (point) => point !== "claiming" && point !== "claimed",
);

/** The same for bulk runs. */
export const bulkPoints: readonly Point[] = [
  ...runPoints,
  "attempt-committed",
  "headers-sent",
  "answered",
  "outcome-committed",
];
