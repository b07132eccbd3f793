/** Starts with wrong clocks: none of them deletes what was recorded. */
import { join } from "node:path";
import { dayMs, hourMs } from "../../src/text/durations.ts";
import { readJournal } from "../evidence.ts";
import { openStage, type ScenarioOptions, type ScenarioResult } from "./stage.ts";

/** How far the clocks of the starts are ahead, one after another. */
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
    violations: [...violations, ...stage.check("recovered")],
    recoveryMs: [],
  };
}
