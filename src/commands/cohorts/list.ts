import { exitCode } from "../exit-codes.ts";
import { failureOf } from "../failure.ts";
import { printRows } from "../rows/print.ts";
import { exits, type Verb } from "../verb.ts";
import { cohortColumns, cohortRow, cohortsOf } from "./cohort-entry.ts";

export const verb: Verb = {
  description: "the stored cohorts",
  examples: ["supplyline cohorts list", "supplyline cohorts list --json"],
  exits: exits.local,
  columns: cohortColumns,
  /** Prints the cohorts that can be read, and reports those that cannot. */
  async run(invocation) {
    const { cohorts, problems } = await cohortsOf(invocation).list();
    await printRows(invocation, cohortColumns, cohorts.map(cohortRow), { brief });
    for (const problem of problems) invocation.report(failureOf(problem));
    if (cohorts.length + problems.length === 0)
      invocation.notice(
        "No cohort yet. Add one with: supplyline cohorts add NAME SUPPLIER --source FILE",
      );
    return problems.length === 0 ? exitCode.done : exitCode.usage;
  },
};

/** The columns of the table: the SHA-256 is in `cohorts show`. */
const brief = cohortColumns.filter(({ name }) => name !== "sha256");
