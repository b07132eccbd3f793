/** The command `profiles use`: chooses the profile for later commands. */

import { exitCode } from "../exit-codes.ts";
import { overrideWords } from "../find-target.ts";
import { exits, type Verb } from "../verb.ts";

export const verb: Verb = {
  description: "choose the profile to work with from now on",
  declare: (command) => command.argument("<name>"),
  run: async (invocation, name: string) => {
    invocation.settings().use(name);
    const overridden = overrideWords(invocation, name);
    if (overridden === null) invocation.notice(`${name} is the profile in use from now on.`);
    else invocation.warn(`${name} is saved as the profile in use. ${overridden}`);
    return exitCode.done;
  },
  exits: exits.local,
  examples: ["supplyline profiles use acme-test"],
};
