/**
 * The command `activity close`: closes an open journal entry with the reason that the user states.
 */

import { discardSent, openDrafts } from "../../state/drafts.ts";
import { withState } from "../../state/open-state.ts";
import { type Closing, tookEffectAnswers } from "../../writes/journal/entry.ts";
import { close } from "../../writes/close-entry.ts";
import { outcomeLabel } from "../../writes/words/outcomes.ts";
import { usageError } from "../command-error.ts";
import { choiceOption, wholeNumberOption } from "../option-values.ts";
import { printDone } from "../rows/print.ts";
import { exits, type Verb } from "../verb.ts";
import { withJournal } from "../with-journal.ts";

export const verb: Verb = {
  description: "close an open entry: say why, and if it took effect",
  declare: (command) =>
    command
      .argument("<id>", "number in the journal", wholeNumberOption(1))
      .requiredOption("--reason <text>", "how you know; it is stored in the journal")
      .option(
        "--took-effect <answer>",
        "yes counts as confirmed, no frees its items to be sent again, unknown bars them as before",
        choiceOption(tookEffectAnswers),
        "unknown",
      ),
  /**
   * Closes an entry with the user's reason and answer. Stores both and discards the draft of the
   * entry.
   */
  async run(invocation, id: number, { reason, tookEffect }: Closing) {
    const { io } = invocation;
    const trimmedReason = reason.trim();
    if (trimmedReason === "")
      throw usageError("closing needs a reason", "Give the reason with --reason TEXT.");
    const profile = await withJournal(invocation, (journal) =>
      close(journal, id, { reason: trimmedReason, tookEffect }, io.clock.now()),
    );
    await withState(invocation.folders.stateDir, (state) =>
      discardSent(openDrafts(state, io.clock.now), profile, id),
    );
    await printDone(
      invocation,
      { journal_id: id, outcome: "closed", took_effect: tookEffect, reason: trimmedReason },
      `Journal entry ${id} is ${outcomeLabel({ outcome: "closed", took_effect: tookEffect })}.`,
    );
  },
  exits: exits.entry,
  examples: [
    "supplyline activity close 12 --took-effect yes --reason 'seen on the account'",
    "supplyline activity close 13 --took-effect no --reason 'not at the vendor'",
  ],
};
