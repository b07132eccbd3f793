import { olderJournalWords } from "../../writes/older-journal.ts";
import { givenReason } from "../command-error.ts";
import { exitCode } from "../exit-codes.ts";
import { printDone } from "../rows/print.ts";
import { exits, type Verb } from "../verb.ts";
import { withJournal } from "../with-journal.ts";

export const verb: Verb = {
  description: "accept a journal that was restored or copied, so that its runs can be resumed",
  declare: (command) =>
    command.requiredOption(
      "--reason <text>",
      "how you know what was sent since; it is stored in the journal",
    ),
  async run(invocation, { reason }: { readonly reason: string }) {
    const given = givenReason(reason, "a repair");
    return withJournal(invocation, async (journal) => {
      const { path, standing } = journal;
      if (standing.kind === "current") {
        await printDone(
          invocation,
          { repaired: false, lacks_attempts: null, reason: null },
          `The journal ${path} needs no repair.`,
        );
        return exitCode.done;
      }
      await journal.accept(given, invocation.io.clock.now());
      invocation.warn(olderJournalWords(path, standing), "lasting");
      await printDone(
        invocation,
        {
          repaired: true,
          lacks_attempts: standing.kind === "older" ? standing.attempts : null,
          reason: given,
        },
        "The journal is used as it is: runs can be resumed, and entries resent. Entries that were sent since are not in it.",
      );
      return exitCode.done;
    });
  },
  exits: exits.local,
  examples: ["supplyline activity repair --reason 'compared with the service'"],
};
