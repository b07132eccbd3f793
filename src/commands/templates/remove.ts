/** The command `templates remove`: removes a note template of a profile. */

import { needTarget } from "../find-target.ts";
import type { Verb } from "../verb.ts";
import { templatesOf } from "./profile-templates.ts";

export const verb: Verb = {
  description: "remove a template of a profile; notes that were sent stay",
  examples: ["supplyline templates remove call"],
  exits: [0, 2, 3],
  declare: (command) => command.argument("<template>", "name of the template"),
  /** Removes a template. Throws `invalid` if none has the name. */
  async run(invocation, name: string) {
    const { profile } = await needTarget(invocation);
    templatesOf(invocation).remove(profile.name, name);
    invocation.notice(`The template ${name} of ${profile.name} is removed.`);
  },
};
