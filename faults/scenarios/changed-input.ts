/** A run whose recording was killed, and whose input is another one when it is resumed. */
import type { Violation } from "../invariants/invariant.ts";
import { runRules } from "./run-rules.ts";
import { openStage, runIn, type ScenarioOptions, type ScenarioResult } from "./stage.ts";

export async function changedInput(options: ScenarioOptions): Promise<ScenarioResult> {
  await using stage = await openStage(options, []);
  const rows = Math.max(300, options.size);
  const of = "payment-instructions";
  const first = { of, mark: "before", rows } as const;
  const driven = stage.drive({ task: { kind: "bulk", ...first }, at: "rows-recorded" });
  await driven.ended;
  const run = runIn(driven.lines);
  const violations: Violation[] = [];
  const { ms, violations: sent } = await stage.recover();
  violations.push(...sent);
  if (run !== null) {
    const other = stage.drive({ task: { kind: "resume", run, ...first, mark: "after" } });
    await other.ended;
    violations.push(...stage.check("recovered", runRules("before", first)));
    const effects = stage.sandbox.ledger().length;
    if (effects > 0) {
      const what = `${effects} effects of an input that was never checked`;
      violations.push({ invariant: "run is of its input", what });
    }
    await stage.drive({ task: { kind: "resume", run, ...first } }).ended;
    await stage.watch.quiet();
    violations.push(...stage.check("recovered", runRules("before", { ...first, ended: true })));
    violations.push(...(await stage.summary()));
  }
  return {
    name: "bulk, the input changed while it was recorded",
    writes: rows,
    injected: 2,
    violations,
    recoveryMs: [ms],
  };
}
