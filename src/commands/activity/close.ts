/**
 * The command `activity close`: closes an open journal entry with the reason that the user states.
 */

import { discardSent, openDrafts } from "../../state/drafts.ts";
import { withState } from "../../state/open-state.ts";
import { close } from "../../writes/open-entries.ts";
import { usageError } from "../command-error.ts";
import { wholeNumberOption } from "../option-values.ts";
import { printDone } from "../rows/print.ts";
import { exits, type Verb } from "../verb.ts";
import { withJournal } from "../with-journal.ts";

export const verb: Verb = {
  description: "close an open entry with your own reason",
  declare: (command) =>
    command
      .argument("<id>", "number in the journal", wholeNumberOption(1))
      .requiredOption("--reason <text>", "how you know; it is stored in the journal"),
  /**
   * Closes an entry with the user's reason. Stores the reason and discards the draft of the entry.
   */
  async run(invocation, id: number, { reason }: { readonly reason: string }) {
    const { io } = invocation;
    const trimmedReason = reason.trim();
    if (trimmedReason === "")
      throw usageError("closing needs a reason", "Give the reason with --reason TEXT.");
    const profile = await withJournal(invocation, (journal) =>
      close(journal, id, trimmedReason, io.clock.now()),
    );
    await withState(invocation.folders.stateDir, (state) =>
      discardSent(openDrafts(state, io.clock.now), profile, id),
    );
    await printDone(
      invocation,
      { journal_id: id, outcome: "closed", reason: trimmedReason },
      `Journal entry ${id} is closed.`,
    );
  },
  exits: exits.entry,
  examples: ["supplyline activity close 12 --reason 'seen on the account'"],
};
