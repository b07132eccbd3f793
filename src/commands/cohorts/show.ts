/** The command `cohorts show`: prints one cohort, after comparing its list with its SHA-256. */

import { printRow } from "../rows/print.ts";
import { exits, type Verb } from "../verb.ts";
import { cohortColumns, cohortRow, cohortsOf } from "./cohort-entry.ts";

export const verb: Verb = {
  description: "one cohort; its list is compared with its SHA-256",
  declare: (command) => command.argument("<cohort>", "name of the cohort"),
  columns: cohortColumns,
  /** Verifies a cohort and prints its description. Rejects with a cohort error. */
  async run(invocation, name: string) {
    const cohorts = cohortsOf(invocation);
    const { supplier } = await cohorts.describe(name);
    const { cohort } = await cohorts.read(name, supplier);
    await printRow(invocation, cohortColumns, cohortRow(cohort));
  },
  exits: exits.local,
  examples: ["supplyline cohorts show wave-3"],
};
