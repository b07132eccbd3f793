/** Every scenario by a name that can be printed and asked for. */
import type { Point, RunKind } from "../driver-input.ts";
import { changedInput } from "./changed-input.ts";
import { unstoredChecks } from "./checks.ts";
import { clockSetBack, wrongClocks } from "./clocks.ts";
import { conflicts } from "./conflicts.ts";
import { cutLists } from "./cut-lists.ts";
import { diskFull } from "./disk-full.ts";
import { durability } from "./durability.ts";
import { fileLimit } from "./file-limit.ts";
import { itemsInOtherForms } from "./forms.ts";
import { blockedTwins, changedProfile, closedEntries } from "./guarded.ts";
import { bulkPoints, faultyRun, killedRun, killedWriting, writePoints } from "./kills.ts";
import { eightObserving, killedObserving } from "./observing.ts";
import { observingClocks } from "./observing-clocks.ts";
import { overrides } from "./overrides.ts";
import { pacedService } from "./pacing.ts";
import { eightProcesses, killedRecovery, sameEntries } from "./processes.ts";
import { restoredJournal } from "./restored.ts";
import type { ScenarioOptions, ScenarioResult } from "./stage.ts";
import { answeredWhileStopped, stoppedClient } from "./stopped.ts";
import { closedTerminal } from "./terminal.ts";

export type Scenario =
  | { readonly name: "kill"; readonly at: Point }
  | { readonly name: "kill bulk"; readonly at: Point; readonly of: RunKind }
  | { readonly name: "bulk under faults"; readonly of: RunKind }
  | {
      readonly name:
        | "kill recovery"
        | "eight processes"
        | "same entries"
        | "stopped"
        | "terminal"
        | "changed input"
        | "overrides"
        | "restored journal"
        | "answered while stopped"
        | "clock set back"
        | "blocked twins"
        | "closed entries"
        | "changed profile"
        | "items in other forms"
        | "conflicts"
        | "rate limit"
        | "wrong clocks"
        | "observing clocks"
        | "unstored checks"
        | "disk full"
        | "file limit"
        | "durability"
        | "kill observing"
        | "eight observing"
        | "cut-off lists";
    };

const runKinds: readonly RunKind[] = [
  "notes",
  "transactions",
  "statements",
  "payment-instructions",
  "supply-points",
];

/** In the order of the report. */
export const scenarios: readonly Scenario[] = [
  ...writePoints.map((at): Scenario => ({ name: "kill", at })),
  // Each point with one kind of run, and each kind with several points.
  ...bulkPoints.flatMap((at, index): Scenario[] => {
    const first = runKinds[index % runKinds.length] ?? "notes";
    const second = runKinds[(index + 2) % runKinds.length] ?? "statements";
    return [first, second].map((of) => ({ name: "kill bulk", at, of }));
  }),
  ...runKinds.map((of): Scenario => ({ name: "bulk under faults", of })),
  { name: "kill recovery" },
  { name: "changed input" },
  { name: "overrides" },
  { name: "restored journal" },
  { name: "blocked twins" },
  { name: "closed entries" },
  { name: "changed profile" },
  { name: "items in other forms" },
  { name: "conflicts" },
  { name: "rate limit" },
  { name: "wrong clocks" },
  { name: "observing clocks" },
  { name: "unstored checks" },
  { name: "eight processes" },
  { name: "same entries" },
  { name: "stopped" },
  { name: "answered while stopped" },
  { name: "clock set back" },
  { name: "terminal" },
  { name: "disk full" },
  { name: "file limit" },
  { name: "durability" },
  { name: "kill observing" },
  { name: "eight observing" },
  { name: "cut-off lists" },
];

/** As `--only` takes it. */
export function scenarioName(scenario: Scenario): string {
  switch (scenario.name) {
    case "kill":
      return `kill:${scenario.at}`;
    case "kill bulk":
      return `kill-bulk:${scenario.at}:${scenario.of}`;
    case "bulk under faults":
      return `bulk-under-faults:${scenario.of}`;
    default:
      return scenario.name.replaceAll(" ", "-");
  }
}

/** Runs a scenario. One that throws has shown nothing, which is as bad as a promise broken. */
export async function runScenario(
  scenario: Scenario,
  options: ScenarioOptions,
): Promise<ScenarioResult> {
  try {
    return await started(scenario, options);
  } catch (thrown) {
    const what = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
    const violations = [{ invariant: "the campaign itself", what }];
    return { name: scenarioName(scenario), writes: 0, injected: 0, violations, recoveryMs: [] };
  }
}

function started(scenario: Scenario, options: ScenarioOptions): Promise<ScenarioResult> {
  switch (scenario.name) {
    case "kill":
      return killedWriting(options, scenario.at);
    case "kill bulk":
      return killedRun(options, scenario.at, scenario.of);
    case "bulk under faults":
      return faultyRun(options, scenario.of);
    case "kill recovery":
      return killedRecovery(options);
    case "eight processes":
      return eightProcesses(options);
    case "same entries":
      return sameEntries(options);
    case "stopped":
      return stoppedClient(options);
    case "terminal":
      return closedTerminal(options);
    case "changed input":
      return changedInput(options);
    case "overrides":
      return overrides(options);
    case "restored journal":
      return restoredJournal(options);
    case "answered while stopped":
      return answeredWhileStopped(options);
    case "clock set back":
      return clockSetBack(options);
    case "blocked twins":
      return blockedTwins(options);
    case "closed entries":
      return closedEntries(options);
    case "changed profile":
      return changedProfile(options);
    case "items in other forms":
      return itemsInOtherForms(options);
    case "conflicts":
      return conflicts(options);
    case "rate limit":
      return pacedService(options);
    case "wrong clocks":
      return wrongClocks(options);
    case "observing clocks":
      return observingClocks(options);
    case "unstored checks":
      return unstoredChecks(options);
    case "disk full":
      return diskFull(options);
    case "file limit":
      return fileLimit(options);
    case "durability":
      return durability(options);
    case "kill observing":
      return killedObserving(options);
    case "eight observing":
      return eightObserving(options);
    case "cut-off lists":
      return cutLists(options);
  }
}
