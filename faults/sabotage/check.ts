/** Runs a sabotaged client through a short campaign, which must notice. */

import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Violation } from "../invariants/invariant.ts";
import { planCells } from "../matrix/plan.ts";
import { runCells } from "../matrix/run-cells.ts";
import { runScenario } from "../scenarios/all.ts";
import type { ClientBuild } from "../scenarios/run-driver.ts";
import type { Sabotage } from "./sabotage.ts";

export interface SabotageResult {
  readonly name: string;
  /** The invariants it broke, the expected ones first. */
  readonly broke: readonly string[];
  readonly expected: readonly string[];
  readonly caught: boolean;
}

export interface CheckOptions {
  readonly where: string;
  readonly seed: number;
  /** Writes of each cell or scenario. */
  readonly writes: number;
}

export async function checkSabotage(
  sabotage: Sabotage,
  options: CheckOptions,
): Promise<SabotageResult> {
  const violations = await violationsOf(sabotage, options);
  const broke = [...new Set(violations.map(({ invariant }) => invariant))];
  const expected = broke.filter((name) => sabotage.breaks.includes(name));
  // A client that cannot even run shows nothing.
  const ran = !broke.includes("the campaign itself");
  return {
    name: sabotage.name,
    broke: [...expected, ...broke.filter((name) => !expected.includes(name))],
    expected: sabotage.breaks,
    caught: ran && expected.length > 0,
  };
}

async function violationsOf(
  { name, shownBy }: Sabotage,
  { where, seed, writes }: CheckOptions,
): Promise<readonly Violation[]> {
  const client = sabotagedBy(name);
  if ("scenarios" in shownBy) {
    const found: Violation[] = [];
    for (const scenario of shownBy.scenarios) {
      const result = await runScenario(scenario, { where, seed, size: writes, client });
      found.push(...result.violations);
    }
    return found;
  }
  const { faults, endpoints } = shownBy;
  const planned = planCells({ seed, writes: 1, only: faults, endpoints });
  const cells = planned.map((cell) => ({ ...cell, writes }));
  const results = await runCells(cells, { where, processes: 1, together: 4, ...client });
  return results.flatMap(({ violations }) => violations);
}

function sabotagedBy(name: string): ClientBuild {
  const loader = pathToFileURL(join(import.meta.dirname, "load.ts")).href;
  return { execArgv: ["--import", loader], env: { CAMPAIGN_SABOTAGE: name } };
}
