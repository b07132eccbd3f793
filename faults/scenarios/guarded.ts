/**
 * Checks that barred writes are not sent: repeated refused forms, closed entries, and writes after
 * a change of the profile.
 */
import type { Task } from "../driver-input.ts";
import type { Invariant, Violation } from "../invariants/invariant.ts";
import { openStage, type ScenarioOptions, type ScenarioResult } from "./stage.ts";

/** Two entries of one form wait for one account; the first is answered 400. */
export function blockedTwins(options: ScenarioOptions): Promise<ScenarioResult> {
  const task = { kind: "blocked twins", mark: "t", writes: options.size } as const;
  return guarded(options, "twins of a refused payment", [], task);
}

/** An operator closes a payment without an answer; the same payment is then composed again. */
export function closedEntries(options: ScenarioOptions): Promise<ScenarioResult> {
  const task = { kind: "closed", mark: "c", writes: options.size } as const;
  return guarded(options, "payments that were closed", ["reset-after@payment-instructions"], task);
}

/** A profile is changed elsewhere after a session has opened it: nothing more may be sent with it. */
export function changedProfile(options: ScenarioOptions): Promise<ScenarioResult> {
  const task = { kind: "changed profile", mark: "p", writes: options.size } as const;
  const obeyed: Invariant = {
    name: "a changed profile is obeyed",
    promise: "nothing is sent with a profile that was changed or removed elsewhere",
    broken: ({ effects }) => effects.map(({ key }) => `"${key}" was sent all the same`),
  };
  return guarded(options, "profiles that were changed elsewhere", [], task, [obeyed]);
}

async function guarded(
  options: ScenarioOptions,
  name: string,
  faults: readonly string[],
  task: Extract<Task, { readonly kind: "blocked twins" | "closed" | "changed profile" }>,
  more: readonly Invariant[] = [],
): Promise<ScenarioResult> {
  await using stage = await openStage(options, faults);
  const driven = stage.drive({ task });
  await driven.ended;
  await stage.watch.quiet();
  const violations: Violation[] = [...stage.check("running", more)];
  const { ms, violations: sent } = await stage.recover();
  const injected = driven.lines.filter((line) => /^(?:rejected|unknown|barred)/.test(line)).length;
  return {
    name,
    writes: options.size,
    injected,
    violations: [...violations, ...sent, ...stage.check("recovered"), ...(await stage.summary())],
    recoveryMs: [ms],
  };
}
