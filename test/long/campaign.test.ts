/** The short form of `npm run faults`: a few writes for every fault at every endpoint, and some kills. */
import type { Violation } from "../../faults/invariants/invariant.ts";
import { runCell } from "../../faults/matrix/cell.ts";
import type { CellResult } from "../../faults/matrix/cell-stage.ts";
import { campaignFaults } from "../../faults/matrix/fault-list.ts";
import { type Cell, planCells } from "../../faults/matrix/plan.ts";
import { runCells } from "../../faults/matrix/run-cells.ts";
import { runScenario, type Scenario, scenarioName } from "../../faults/scenarios/all.ts";
import { journalFolder } from "../helpers/folders.ts";

const seed = 20_261_121;

/** Runs cells in the process of the test, several at a time; the campaign itself has processes for it. */
async function runHere(cells: readonly Cell[], where: string): Promise<readonly CellResult[]> {
  const waiting = [...cells];
  const results: CellResult[] = [];
  const work = async () => {
    for (let cell = waiting.pop(); cell !== undefined; cell = waiting.pop())
      results.push(await runCell(cell, where));
  };
  await Promise.all(Array.from({ length: 8 }, work));
  return results;
}

const reported = (violations: readonly Violation[]) =>
  violations.map(({ invariant, what }) => `${invariant}: ${what}`);

const together = 7;
const groups = Array.from({ length: Math.ceil(campaignFaults.length / together) }, (_, n) =>
  campaignFaults.slice(n * together, (n + 1) * together).map(({ name }) => name),
);

describe("nothing is lost, takes effect twice, is wrongly claimed or needlessly in doubt under", () => {
  test.each(groups.map((only) => [only.join("; "), only] as const))("%s", async (_names, only) => {
    const cells = planCells({ seed, writes: 24, only, endpoints: [] });
    const where = journalFolder();
    const results = await runHere(cells, where);
    const broken = results.flatMap(({ cell, violations }) =>
      reported(violations).map((line) => `${nameOf(cell)}: ${line}`),
    );
    expect(broken).toEqual([]);
    expect(results).toHaveLength(cells.length);
    // Each fault has injected somewhere, or it has shown nothing.
    const injected = results.filter((result) => result.injected > 0).map(({ cell }) => cell.fault);
    expect(new Set(injected)).toEqual(new Set(only));
  });
});

test("the same seed gives the same campaign", async () => {
  const where = journalFolder();
  const cells = planCells({
    seed,
    writes: 60,
    only: ["several"],
    endpoints: ["notes", "statements"],
  });
  const once = async () => {
    const results = await runCells(cells, { where, processes: 1, together: 2 });
    return results
      .map(
        ({ cell, injected, outcomes }) => `${nameOf(cell)} ${injected} ${JSON.stringify(outcomes)}`,
      )
      .sort();
  };
  expect(await once()).toEqual(await once());
});

const some: readonly Scenario[] = [
  { name: "kill", at: "queued-reported" },
  { name: "kill", at: "headers-sent" },
  { name: "kill bulk", at: "rows-recorded", of: "payment-instructions" },
  { name: "kill bulk", at: "row-settled", of: "statements" },
  { name: "same entries" },
  { name: "overrides" },
  { name: "restored journal" },
  { name: "answered while stopped" },
  { name: "clock set back" },
  { name: "blocked twins" },
  { name: "closed entries" },
  { name: "changed profile" },
  { name: "items in other forms" },
  { name: "conflicts" },
  { name: "rate limit" },
  { name: "wrong clocks" },
  { name: "observing clocks" },
  { name: "unstored checks" },
  { name: "file limit" },
  { name: "cut-off lists" },
];

test.each(some.map((scenario) => [scenarioName(scenario), scenario] as const))(
  "%s: the next process finds everything, and nothing takes effect twice",
  async (_name, scenario) => {
    const client = { execArgv: [], env: {} };
    const { violations } = await runScenario(scenario, {
      where: journalFolder(),
      seed,
      size: 16,
      client,
    });
    expect(reported(violations)).toEqual([]);
  },
);

function nameOf({ fault, endpoint, kind }: Cell): string {
  return `${fault} at ${endpoint}, ${kind}`;
}
