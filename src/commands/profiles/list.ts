import { nameInUse } from "../find-target.ts";
import { printRows } from "../rows/print.ts";
import { exits, type Verb } from "../verb.ts";
import { profileColumns } from "./profile-entry.ts";

export const verb: Verb = {
  description: "the profiles that are set up",
  columns: profileColumns,
  async run(invocation) {
    const profiles = invocation.settings().profiles();
    const inUse = nameInUse(invocation);
    await printRows(
      invocation,
      profileColumns,
      profiles.map((profile) => ({ profile, inUse: profile.name === inUse })),
    );
    if (profiles.length === 0)
      invocation.notice(
        "No profile yet. Add one with: supplyline profiles add NAME --base-url URL",
      );
  },
  exits: exits.local,
  examples: ["supplyline profiles list", "supplyline profiles list --json"],
};
