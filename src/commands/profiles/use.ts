import { exitCode } from "../exit-codes.ts";
import { overrideWords } from "../find-target.ts";
import { exits, type Verb } from "../verb.ts";

export const verb: Verb = {
  description: "choose the profile to work with from now on",
  declare: (command) => command.argument("<name>"),
  /** Saves the profile as the one in use. Warns if environment variables override it. */
  run: async (invocation, name: string) => {
    invocation.settings().use(name);
    const override = overrideWords(invocation, name);
    if (override === null) invocation.notice(`${name} is the profile in use from now on.`);
    else invocation.warn(`${name} is saved as the profile in use. ${override}`);
    return exitCode.done;
  },
  exits: exits.local,
  examples: ["supplyline profiles use acme-test"],
};
