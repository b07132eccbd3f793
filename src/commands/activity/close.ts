import { AppError } from "../../errors/app-error.ts";
import { discardSent, openDrafts } from "../../state/drafts.ts";
import { withState } from "../../state/open-state.ts";
import { close } from "../../writes/close-entry.ts";
import { type Closing, tookEffectAnswers } from "../../writes/journal/entry.ts";
import type { Journal } from "../../writes/journal/open-journal.ts";
import { outcomeLabel } from "../../writes/words/outcomes.ts";
import { givenReason } from "../command-error.ts";
import { exitCode } from "../exit-codes.ts";
import type { Invocation } from "../invocation.ts";
import { choiceOption } from "../option-values.ts";
import { printDone } from "../rows/print.ts";
import { withTarget } from "../target.ts";
import { hasTeam } from "../team/read-team.ts";
import { exits, type Verb } from "../verb.ts";
import { withJournal } from "../with-journal.ts";
import { withWrites } from "../writes/with-writes.ts";
import { type EntryArgument, entryArgument } from "./entry-argument.ts";
import { ownNumberError, withTeamEntry } from "./team-entries.ts";

export const verb: Verb = {
  description: "close an open entry: say why, and if it took effect",
  declare: (command) =>
    command
      .argument("<id>", "number in the journal, or tN of the team", entryArgument)
      .requiredOption("--reason <text>", "how you know; it is stored in the journal")
      .option(
        "--took-effect <answer>",
        "yes counts as confirmed, no frees its items to be sent again, unknown bars them as before",
        choiceOption(tookEffectAnswers),
        "unknown",
      ),
  async run(invocation, entry: EntryArgument, { reason, tookEffect }: Closing) {
    const { io } = invocation;
    const { id } = entry;
    const closing = { reason: givenReason(reason, "closing"), tookEffect };
    if (entry.of === "team") return closeOfTeam(invocation, id, closing);
    const closeIn = (journal: Journal) => close(journal, id, closing, io.clock.now());
    // With a team, the answer is published at the end, as an outcome is.
    const profile = hasTeam(invocation)
      ? await withTarget(invocation, (target) =>
          withWrites(invocation, target, ({ context }) => closeIn(context.journal)),
        )
      : await withJournal(invocation, closeIn);
    await withState(invocation.folders.stateDir, (state) =>
      discardSent(openDrafts(state, io.clock.now), profile, id),
    );
    await printDone(
      invocation,
      { journal_id: id, outcome: "closed", took_effect: tookEffect, reason: closing.reason },
      `Journal entry ${id} is ${outcomeLabel({ outcome: "closed", took_effect: tookEffect })}.`,
    );
    return exitCode.done;
  },
  exits: [...exits.entry, 3, 6],
  examples: [
    "supplyline activity close 12 --took-effect yes --reason 'seen on the account'",
    "supplyline activity close 13 --took-effect no --reason 'not at the vendor'",
  ],
};

/** Closes an entry of a colleague. An entry of this machine is closed in its journal, too. */
async function closeOfTeam(invocation: Invocation, id: number, closing: Closing): Promise<number> {
  const answer = await withTeamEntry(invocation, id, async (entry, ledger, isOwn) => {
    if (isOwn) throw ownNumberError(entry, "close");
    return ledger.closeEntry(id, closing, "closed");
  });
  if (answer.kind !== "closed") {
    const state = answer.kind === "not-open" ? answer.entry.state : "no longer there";
    throw new AppError("write", "not-possible", `Entry t${id} of the team is ${state}.`);
  }
  const { reason, tookEffect } = closing;
  await printDone(
    invocation,
    { team_id: `t${id}`, outcome: "closed", took_effect: tookEffect, reason },
    `Entry t${id} of the team is ${outcomeLabel({ outcome: "closed", took_effect: tookEffect })}.`,
  );
  return exitCode.done;
}
