import { templateProblem } from "../../forms/placeholders.ts";
import { invalidSetting } from "../../settings/invalid-setting.ts";
import { openNoteTemplates } from "../../settings/note-templates.ts";
import { needTarget } from "../find-target.ts";
import type { Verb } from "../verb.ts";

export const verb: Verb = {
  description: "store a text for notes with a profile; nothing is sent",
  declare: (command) =>
    command
      .argument("<template>", "name of the template")
      .requiredOption(
        "--body <text>",
        "the text; {external_account_number}, {import_supplier}, {now}, {me} and {case} are filled in",
      ),
  /**
   * Stores a template. Throws `invalid` for a text with an unknown placeholder, and a settings
   * error if it cannot be stored.
   */
  async run(invocation, name: string, { body }: { readonly body: string }) {
    const problem = templateProblem(body);
    if (problem !== null) throw invalidSetting(`--body: ${problem}`);
    const { profile } = needTarget(invocation);
    openNoteTemplates(invocation.folders.configDir).add(profile.name, { name, text: body });
    invocation.notice(`The template ${name} is stored for ${profile.name}.`);
  },
  exits: [0, 2, 3],
  examples: [
    "supplyline templates add call --body '{now} {me}: called, case {case}'",
    "supplyline templates add seen --body 'Seen {now}' --profile live",
  ],
};
