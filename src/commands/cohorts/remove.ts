import { printDone } from "../rows/print.ts";
import { exits, type Verb } from "../verb.ts";
import { confirmTyped } from "../writes/ask.ts";
import { cohortsOf } from "./cohort-entry.ts";

export const verb: Verb = {
  description: "remove a cohort and its list; the accounts are not touched",
  declare: (command) => command.argument("<cohort>", "name of the cohort"),
  /**
   * Removes a cohort after a confirmation, because its list cannot be restored. Rejects with a
   * cohort error.
   */
  async run(invocation, name: string) {
    const cohorts = cohortsOf(invocation);
    const exists = (await cohorts.names()).includes(name);
    if (exists)
      await confirmTyped(invocation, {
        errorMessage: `removing the cohort ${name} cannot be undone, and needs to be confirmed`,
        warning: `The stored list of the cohort ${name} cannot be restored once it is removed.`,
        wanted: name,
        untouched: "Nothing was removed.",
      });
    await cohorts.remove(name);
    await printDone(invocation, { name, outcome: "removed" }, `The cohort ${name} is removed.`);
  },
  exits: [...exits.local, 130],
  examples: ["supplyline cohorts remove wave-3 --yes"],
};
