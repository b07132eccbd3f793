/** Wrong clocks: none of them deletes what was recorded, and no wait gets longer. */
import { join } from "node:path";
import { dayMs, hourMs } from "../../src/text/durations.ts";
import { readJournal } from "../evidence.ts";
import type { Violation } from "../invariants/invariant.ts";
import { openStage, type ScenarioOptions, type ScenarioResult } from "./stage.ts";

/** The clock differences of the starts, in order. */
const ahead: readonly number[] = [
  ...[800, 800, 802, -800, 0, 3_000, 3_001].map((days, at) => days * dayMs + at * 2 * hourMs),
];

export async function wrongClocks(options: ScenarioOptions): Promise<ScenarioResult> {
  await using stage = await openStage(options, []);
  const kinds = ["notes", "statements", "payment instructions"] as const;
  const writes = Math.min(options.size, 12);
  const task = { kind: "write", kinds, together: 1 } as const;
  await stage.drive({ task: { ...task, mark: "k", writes } }).ended;
  const recorded = () => readJournal(join(stage.folder, "journal.sqlite")).entries;
  const before = recorded();
  const violations = [];
  for (const [at, clockAheadMs] of ahead.entries()) {
    await stage.drive({ task: { ...task, mark: `k${at}`, writes: 1 }, clockAheadMs }).ended;
    const whole = new Map(recorded().map(({ id, keys }) => [id, keys.length]));
    const lost = before.filter(({ id, keys }) => whole.get(id) !== keys.length);
    if (lost.length === 0) continue;
    const what = `${lost.length} of ${before.length} entries after a clock ${clockAheadMs / dayMs} days ahead`;
    violations.push({ invariant: "no clock deletes history", what });
  }
  await stage.watch.quiet();
  return {
    name: "wrong clocks",
    writes: writes + ahead.length,
    injected: ahead.length,
    violations: [...violations, ...stage.check("recovered"), ...(await stage.summary())],
    recoveryMs: [],
  };
}

const backMs = hourMs;

/** The waits of these runs are a few seconds in all; the rest is for a slow machine. */
const mostMs = 90_000;

/** The clock is set back an hour during waits: after a 429, after a 503, and for an answer. */
export async function clockSetBack(options: ScenarioOptions): Promise<ScenarioResult> {
  const rows = Math.min(options.size, 16);
  const violations: Violation[] = [];
  const measured: string[] = [];
  const faults = ["429=1s@writesx2", "503@writesx2", "hang@writesx1"];
  for (const kind of ["payment-instructions", "notes"] as const) {
    await using stage = await openStage(options, faults);
    const task = { kind: "bulk", of: kind, mark: `s${options.seed}`, rows } as const;
    const setBack = { at: "attempt-committed", time: 2, setBackMs: backMs } as const;
    const from = performance.now();
    const { child, ended } = stage.drive({ task, ...setBack, timeoutMs: 600 });
    const giveUp = setTimeout(() => child.kill("SIGKILL"), mostMs);
    const { signal } = await ended;
    clearTimeout(giveUp);
    const ms = Math.round(performance.now() - from);
    measured.push(`clock set back, ${kind}: the run ended after ${ms} ms`);
    if (signal !== null) {
      const what = `${kind}: the run had not ended after ${mostMs} ms`;
      violations.push({ invariant: "no wait follows the machine's clock", what });
    }
    await stage.watch.quiet();
    violations.push(...stage.check("running"), ...(await stage.summary()));
  }
  return {
    name: "a clock that is set back during waits",
    writes: rows * 2,
    injected: 2,
    violations,
    recoveryMs: [],
    measured,
  };
}
