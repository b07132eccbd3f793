/** The whole campaign: the matrix, then the scenarios, as rows of one table. */
import { availableParallelism } from "node:os";
import type { Violation } from "./invariants/invariant.ts";
import type { CellResult } from "./matrix/cell-stage.ts";
import { type Cell, planCells } from "./matrix/plan.ts";
import { runCells } from "./matrix/run-cells.ts";
import { runScenario, type Scenario, scenarioName, scenarios } from "./scenarios/all.ts";

export interface CampaignOptions {
  readonly seed: number;
  /** Writes for each fault of the matrix. */
  readonly writes: number;
  /** Writes of each scenario, before it scales them. */
  readonly size: number;
  readonly only: readonly string[];
  readonly endpoints: readonly string[];
  readonly where: string;
  /** Receives each cell and scenario when it is over. */
  readonly onDone?: (line: string) => void;
}

/** A violation, and the command that shows it again and as little else as can be. */
interface Found extends Violation {
  readonly where: string;
  readonly again: string;
}

export interface TableRow {
  readonly name: string;
  readonly writes: number;
  readonly injected: number;
  /** The number of writes by outcome. Empty for scenarios. */
  readonly outcomes: Readonly<Record<string, number>>;
  readonly found: readonly Found[];
  /** Figures of a scenario, a line each. */
  readonly measured: readonly string[];
  readonly notice: string | null;
}

export interface CampaignResult {
  readonly rows: readonly TableRow[];
  readonly recoveryMs: readonly number[];
}

const unsabotaged = { execArgv: [], env: {} };

export async function runCampaign(options: CampaignOptions): Promise<CampaignResult> {
  const { seed, size, only, endpoints, where } = options;
  const cells = planCells(options);
  const byFault = new Map<string, CellResult[]>();
  await runCells(cells, {
    where,
    processes: availableParallelism(),
    together: 12,
    onResult: (result) => {
      const { fault } = result.cell;
      const there = byFault.get(fault);
      if (there === undefined) byFault.set(fault, [result]);
      else there.push(result);
      options.onDone?.(`${fault} at ${result.cell.endpoint}`);
    },
  });
  const names = [...new Set(cells.map(({ fault }) => fault))];
  const rows = names.map((name) => rowOf(name, byFault.get(name) ?? [], options));
  const recoveryMs: number[] = [...byFault.values()].flat().map(({ recoveryMs: ms }) => ms);
  // One fault of the matrix at one endpoint is asked for without the scenarios.
  for (const scenario of endpoints.length > 0 ? [] : chosenScenarios(only)) {
    const name = scenarioName(scenario);
    const result = await runScenario(scenario, { where, seed, size, client: unsabotaged });
    const again = `npm run faults -- --seed ${seed} --size ${size} --only ${name}`;
    const found = distinct(result.violations).map((one) => ({ ...one, where: name, again }));
    const { writes, injected, measured = [], notice = null } = result;
    rows.push({ name: result.name, writes, injected, outcomes: {}, found, measured, notice });
    recoveryMs.push(...result.recoveryMs);
    options.onDone?.(name);
  }
  return { rows, recoveryMs: recoveryMs.filter((ms) => ms > 0) };
}

function chosenScenarios(only: readonly string[]): readonly Scenario[] {
  if (only.length === 0) return scenarios;
  return scenarios.filter((scenario) => {
    const name = scenarioName(scenario);
    return only.some((wanted) => name === wanted || name.startsWith(`${wanted}:`));
  });
}

function rowOf(
  name: string,
  results: readonly CellResult[],
  { seed, writes: perFault }: CampaignOptions,
): TableRow {
  const outcomes: Record<string, number> = {};
  let writes = 0;
  let injected = 0;
  for (const result of results) {
    writes += result.writes;
    injected += result.injected;
    for (const [outcome, n] of Object.entries(result.outcomes)) {
      outcomes[outcome] = (outcomes[outcome] ?? 0) + n;
    }
  }
  const found = results.flatMap(({ cell, violations }) =>
    violations.map((one) => ({
      ...one,
      where: placeOf(cell),
      again: `npm run faults -- --seed ${seed} --writes ${perFault} --only '${name}' --endpoint ${cell.endpoint}`,
    })),
  );
  return { name, writes, injected, outcomes, found, measured: [], notice: null };
}

function placeOf({ fault, endpoint, kind }: Cell): string {
  return `${fault} at ${endpoint}, ${kind}`;
}

function distinct(violations: readonly Violation[]): readonly Violation[] {
  return [...new Map(violations.map((one) => [`${one.invariant} ${one.what}`, one])).values()];
}
