import { plural } from "../../text/numbers.ts";
import { printDone } from "../rows/print.ts";
import type { Verb } from "../verb.ts";
import { throwIfUnpublished, withOpenTeam } from "./with-open-team.ts";

export const verb: Verb = {
  description: "publish what this machine knows and the team does not",
  async run(invocation) {
    await withOpenTeam(invocation, async ({ team }) => {
      const due = team.unpublished();
      // A machine that has sent nothing since does not know that the ledger was restored.
      await team.contact();
      const before = Math.max(due, team.unpublished());
      throwIfUnpublished(team, await team.publish());
      const words =
        before === 0
          ? "The team has every outcome of this machine."
          : `${plural(before, "outcome")} of this machine ${before === 1 ? "is" : "are"} published.`;
      await printDone(invocation, { published: before, left: 0 }, words);
    });
  },
  exits: [0, 2, 3, 6, 130],
  examples: ["supplyline team publish", "supplyline team publish --profile live"],
};
