import { nameInUse, needTarget, profileNamed } from "../find-target.ts";
import { isForPeople, printRow } from "../rows/print.ts";
import { exits, type Verb } from "../verb.ts";
import { fullProfileColumns, fullProfileEntry, withDefaults } from "./profile-entry.ts";

export const verb: Verb = {
  description: "one profile; without a name the one in use",
  declare: (command) => command.argument("[name]"),
  columns: fullProfileColumns,
  /**
   * Prints one profile with all its settings. Default: the profile in use. Throws
   * `unknown-profile`.
   */
  async run(invocation, name: string | undefined) {
    const profile =
      name === undefined ? needTarget(invocation).profile : profileNamed(invocation, name);
    const entry = fullProfileEntry(profile, nameInUse(invocation));
    // People see the defaults of absent settings, and scripts see that they are absent.
    const row = isForPeople(invocation.globals) ? withDefaults(entry, profile) : entry;
    await printRow(invocation, fullProfileColumns, row);
  },
  exits: exits.local,
  examples: ["supplyline profiles show", "supplyline profiles show acme-test"],
};
