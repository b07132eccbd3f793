import { usageError } from "../command-error.ts";
import { storedProfile } from "../find-target.ts";
import { identifierArguments } from "../option-values.ts";
import type { Verb } from "../verb.ts";
import { reportCodes } from "./add.ts";

export const verb: Verb = {
  description: "remove supplier codes from the list of a profile; nothing is sent",
  declare: (command) =>
    command.argument("<supplier...>", "import supplier codes", identifierArguments),
  /**
   * Removes codes from the profile's list. If a code is not on the list, throws `usage` and removes
   * no code.
   */
  async run(invocation, codes: readonly string[]) {
    const profile = storedProfile(invocation);
    const missing = codes.filter((code) => !profile.suppliers.includes(code));
    if (missing.length > 0)
      throw usageError(
        `${profile.name} does not list ${missing.join(", ")}`,
        profile.suppliers.length === 0
          ? "It lists no supplier."
          : `It lists ${profile.suppliers.join(", ")}.`,
      );
    const settings = invocation.settings();
    for (const code of codes) settings.removeSupplier(profile.name, code);
    reportCodes(invocation, [...new Set(codes)], `removed from ${profile.name}`);
  },
  exits: [0, 2, 3],
  examples: ["supplyline suppliers remove ACME --profile live"],
};
