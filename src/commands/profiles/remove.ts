import { errorMessage } from "../../api/errors.ts";
import { wipeProfileData } from "../../state/profile-data.ts";
import { plural } from "../../text/numbers.ts";
import { exits, type Verb } from "../verb.ts";

export const verb: Verb = {
  description:
    "remove a profile with its key and token, its drafts, its watch list and its note templates",
  declare: (command) => command.argument("<name>"),
  /** Removes a profile and the data that is stored only for it. Throws a settings error. */
  async run(invocation, name: string) {
    invocation.settings().remove(name);
    const { stateDir, configDir } = invocation.folders;
    const { drafts, watched, templates, problems } = await wipeProfileData(
      stateDir,
      configDir,
      name,
    );
    const removed = [
      ...(drafts > 0 ? [plural(drafts, "draft")] : []),
      ...(watched > 0 ? [`a watch list of ${watched}`] : []),
      ...(templates > 0 ? [plural(templates, "note template")] : []),
    ];
    const rest = removed.length === 0 ? "" : `, ${removed.join(", ")}`;
    invocation.notice(
      `${name} is removed, with its saved key and token${rest}. The journal of what was sent stays.`,
    );
    for (const problem of problems) invocation.problem(errorMessage(problem));
  },
  exits: exits.local,
  examples: ["supplyline profiles remove acme-test"],
};
