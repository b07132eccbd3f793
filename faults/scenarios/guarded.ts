/** What the duplicate guard keeps back: twins of a refused form, and entries that were closed. */
import type { Violation } from "../invariants/invariant.ts";
import { openStage, type ScenarioOptions, type ScenarioResult } from "./stage.ts";

/** Two entries of one form wait for one account; the first is answered 400. */
export function blockedTwins(options: ScenarioOptions): Promise<ScenarioResult> {
  const task = { kind: "blocked twins", mark: "t", writes: options.size } as const;
  return guarded(options, "twins of a refused payment", [], task);
}

/** An operator closes a payment without an answer; the same payment is then composed anew. */
export function closedEntries(options: ScenarioOptions): Promise<ScenarioResult> {
  const task = { kind: "closed", mark: "c", writes: options.size } as const;
  return guarded(options, "payments that were closed", ["reset-after@payment-instructions"], task);
}

async function guarded(
  options: ScenarioOptions,
  name: string,
  faults: readonly string[],
  task: {
    readonly kind: "blocked twins" | "closed";
    readonly mark: string;
    readonly writes: number;
  },
): Promise<ScenarioResult> {
  await using stage = await openStage(options, faults);
  const driven = stage.drive({ task });
  await driven.ended;
  await stage.watch.quiet();
  const violations: Violation[] = [...stage.check("running")];
  const { ms, violations: sent } = await stage.recover();
  const struck = driven.lines.filter((line) => /^(?:rejected|unknown|barred)/.test(line)).length;
  return {
    name,
    writes: options.size,
    struck,
    violations: [...violations, ...sent, ...stage.check("recovered")],
    recoveryMs: [ms],
  };
}
