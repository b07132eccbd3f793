/** The command `cohorts list`: prints the stored cohorts. */

import { printRows } from "../rows/print.ts";
import { exits, type Verb } from "../verb.ts";
import { cohortColumns, cohortsOf } from "./cohort-entry.ts";

export const verb: Verb = {
  description: "the stored cohorts",
  columns: cohortColumns,
  /** Prints the cohorts. Rejects with a settings error if they cannot be read. */
  async run(invocation) {
    const cohorts = await cohortsOf(invocation).list();
    await printRows(invocation, cohortColumns, cohorts, { brief });
    if (cohorts.length === 0)
      invocation.notice(
        "No cohort yet. Add one with: supplyline cohorts add NAME SUPPLIER --source FILE",
      );
  },
  exits: exits.local,
  examples: ["supplyline cohorts list", "supplyline cohorts list --json"],
};

/** The columns of the table, without the SHA-256, which `cohorts show` prints. */
const brief = cohortColumns.filter(({ name }) => name !== "sha256");
