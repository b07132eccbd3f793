import { printRow } from "../rows/print.ts";
import { exits, type Verb } from "../verb.ts";
import { cohortColumns, cohortsOf } from "./cohort-entry.ts";

export const verb: Verb = {
  description: "one cohort, after checking its stored list against the SHA-256",
  declare: (command) => command.argument("<cohort>", "name of the cohort"),
  columns: cohortColumns,
  /**
   * Prints one row about a cohort. Rejects with a cohort error if there is no such cohort, or if
   * its stored list cannot be read or does not have the stored SHA-256.
   */
  async run(invocation, name: string) {
    const cohorts = cohortsOf(invocation);
    const { supplier } = await cohorts.describe(name);
    const { cohort } = await cohorts.read(name, supplier);
    await printRow(invocation, cohortColumns, cohort);
  },
  exits: exits.local,
  examples: ["supplyline cohorts show wave-3"],
};
