import type { Command } from "commander";
import { plural } from "../../text/numbers.ts";
import { countJoinable, join, joinAsNew } from "../../writes/team/join.ts";
import { usageError } from "../command-error.ts";
import { printDone } from "../rows/print.ts";
import type { Verb } from "../verb.ts";
import { throwIfUnpublished, withOpenTeam } from "./with-open-team.ts";

interface JoinOptions {
  readonly dryRun?: boolean;
  readonly new?: boolean;
}

export const verb: Verb = {
  description: "publish this machine's earlier entries once, so that they bar colleagues",
  declare: (command: Command) =>
    command
      .option("--dry-run", "count the entries, and publish nothing")
      .option("--new", "give a copied state folder an identity of its own; publish nothing"),
  /** Publishes the earlier entries. Rejects with a team error if outcomes are left. */
  async run(invocation, { dryRun = false, new: isNew = false }: JoinOptions) {
    if (dryRun && isNew) throw usageError("--dry-run does not go with --new");
    await withOpenTeam(invocation, async (context) => {
      if (isNew) {
        await joinAsNew(context);
        const words = "This state folder has an identity of its own. Nothing was published.";
        await printDone(invocation, { joined: true, entries: 0, known: 0 }, words);
        return;
      }
      const { entries, known } = await countJoinable(context);
      const found = `${plural(entries, "entry", "entries")} of this machine; the team has items of ${known} from others`;
      if (!dryRun) throwIfUnpublished(context.team, await join(context));
      const words = dryRun ? `Would publish ${found}.` : `Published ${found}.`;
      await printDone(invocation, { joined: !dryRun, entries, known }, words);
    });
  },
  exits: [0, 2, 3, 6, 130],
  examples: ["supplyline team join --dry-run", "supplyline team join --profile live"],
};
