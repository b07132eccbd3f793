import { toJson } from "../../json/exact.ts";
import { plural } from "../../text/numbers.ts";
import { type PurgePlan, planPurge, purge } from "../../writes/retention.ts";
import { printsJson } from "../global-options.ts";
import type { Invocation } from "../invocation.ts";
import { ageOption } from "../option-values.ts";
import type { Verb } from "../verb.ts";
import { withJournal } from "../with-journal.ts";
import { confirmTyped } from "../writes/ask.ts";

export const verb: Verb = {
  description: "remove the bodies and responses of settled entries from the journal",
  declare: (command) =>
    command
      .requiredOption(
        "--older-than <duration>",
        "only of entries at least this old: 90d, 12h, 0s",
        ageOption,
      )
      .option("--dry-run", "report what would be removed; change nothing"),
  /**
   * Removes the bodies and responses of settled entries from the journal and its file. The entries,
   * their accounts and their outcomes stay. The removal cannot be undone, so it needs a
   * confirmation.
   */
  async run(invocation, { olderThan, dryRun = false }: PurgeOptions) {
    const { io } = invocation;
    await withJournal(invocation, async (journal) => {
      const now = io.clock.now();
      // `before` is exclusive, so the `+ 1` includes entries of exactly this age.
      const before = now - olderThan + 1;
      const plan = planPurge(journal, before);
      if (dryRun) return print(invocation, plan, false);
      if (plan.bodies > 0)
        await confirmTyped(invocation, {
          errorMessage: `removing ${bodiesWords(plan)} cannot be undone, and needs to be confirmed`,
          warning: `Removing ${bodiesWords(plan)}. It cannot be undone, and the entries cannot be resent.`,
          wanted: String(plan.bodies),
          untouched: "Nothing was removed.",
        });
      // Runs even if no body is left to remove, because the file can still contain the bytes of
      // bodies that an earlier purge removed.
      const bodies = await purge(journal, before, now);
      await print(invocation, { ...plan, bodies }, true);
    });
  },
  exits: [0, 2, 130],
  examples: [
    "supplyline activity purge --older-than 30d --dry-run",
    "supplyline activity purge --older-than 30d --yes",
  ],
};

interface PurgeOptions {
  /** Minimum age of the entries in milliseconds. */
  readonly olderThan: number;
  readonly dryRun?: boolean;
}

async function print(
  { globals, out }: Invocation,
  plan: PurgePlan,
  isDone: boolean,
): Promise<void> {
  if (printsJson(globals)) {
    const { bodies, kept } = plan;
    return out.line(
      toJson({
        purged: isDone,
        writes: bodies,
        kept,
      }),
    );
  }
  await out.line(`${isDone ? "Removed" : "Would remove"} ${bodiesWords(plan)}.`);
  if (plan.kept > 0)
    await out.line(
      `${plural(plan.kept, "entry", "entries")} as old ${plan.kept === 1 ? "keeps its" : "keep their"} body: the outcome is open, or it can still be sent.`,
    );
}

function bodiesWords({ bodies }: PurgePlan): string {
  return `the bodies and responses of ${plural(bodies, "settled entry", "settled entries")}`;
}
