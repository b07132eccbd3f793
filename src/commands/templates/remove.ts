import { openNoteTemplates } from "../../settings/note-templates.ts";
import { needTarget } from "../find-target.ts";
import type { Verb } from "../verb.ts";

export const verb: Verb = {
  description: "remove a template of a profile; notes that were sent stay",
  declare: (command) => command.argument("<template>", "name of the template"),
  /** Removes a template. Throws `invalid` if none has the name. */
  async run(invocation, name: string) {
    const { profile } = needTarget(invocation);
    openNoteTemplates(invocation.folders.configDir).remove(profile.name, name);
    invocation.notice(`The template ${name} of ${profile.name} is removed.`);
  },
  exits: [0, 2, 3],
  examples: ["supplyline templates remove call"],
};
