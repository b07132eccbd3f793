import { teamNames } from "../../settings/team-access.ts";
import { plural } from "../../text/numbers.ts";
import { usageError } from "../command-error.ts";
import { printDone } from "../rows/print.ts";
import type { Verb } from "../verb.ts";
import { teamTarget, withConnect } from "./with-team.ts";

interface RepairOptions {
  readonly reason: string;
  readonly dismiss?: string;
}

export const verb: Verb = {
  description: "mark a ledger that was restored from a backup, or dismiss a machine, as its owner",
  declare: (command) =>
    command
      .requiredOption("--reason <text>", "what happened; the ledger stores it")
      .option("--dismiss <machine>", "do not wait for this machine, which cannot report back"),
  async run(invocation, { reason, dismiss }: RepairOptions) {
    const given = reason.trim();
    if (given === "")
      throw usageError("a repair needs a reason", "Give the reason with --reason TEXT.");
    const { access } = teamTarget(invocation);
    const { person } = teamNames(invocation.io.env);
    const { repairLedger } = await import("../../writes/team/repair-ledger.ts");
    const act = { person, reason: given, dismissed: dismiss ?? null };
    const owing = await withConnect(invocation, access, (connect) =>
      repairLedger(connect, access.address, act),
    );
    const words =
      owing.length === 0
        ? "The ledger waits for no machine."
        : `The ledger bars writes until ${plural(owing.length, "machine")} reported back: ${owing.join(", ")}. On each: supplyline team publish`;
    await printDone(invocation, { owing }, words);
  },
  exits: [0, 2, 3, 6, 130],
  examples: [
    "supplyline team repair --reason 'restored the backup of Monday'",
    "supplyline team repair --dismiss laptop-7 --reason 'lost'",
  ],
};
