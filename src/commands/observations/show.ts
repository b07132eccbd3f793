/** The command `observations show`: prints the stored figures of one supplier. */

import { AppError } from "../../errors/app-error.ts";
import { asCommand } from "../../text/as-command.ts";
import { utcInstant } from "../../text/dates.ts";
import type { ObservedSummary } from "../../triage/observations/observations.ts";
import { storedFields } from "../../triage/observations/words.ts";
import { exitCode } from "../exit-codes.ts";
import { withObservations } from "../observing.ts";
import { identifierArgument } from "../option-values.ts";
import { type Column, column, utcText } from "../rows/columns.ts";
import { printRow } from "../rows/print.ts";
import type { Verb } from "../verb.ts";

const ofLastDay = "Changes of the last 24 hours:";

const { supplier, origin, observations, firstAt, lastAt } = storedFields;

const columns: readonly Column<Row>[] = [
  ...[supplier, origin, observations, firstAt, lastAt],
  column("imported", "Imported", "number", "Imported accounts of the last list."),
  column("pending", "Pending", "number", "Pending accounts of the last list."),
  column("gone", "Gone", "number", "Accounts that were pending and left the list."),
  column(
    "oldest_pending_since",
    "Oldest pending since",
    `${utcText}, or null`,
    "The start of the oldest pending state; null if no account is pending.",
  ),
  column(
    "pending_over_a_day",
    "Pending over a day",
    "number",
    "Accounts that are pending for more than a day.",
  ),
  column("staged", "Staged in 24 h", "number", `${ofLastDay} accounts staged.`),
  column("newly_imported", "Imported in 24 h", "number", `${ofLastDay} accounts imported.`),
  column("newly_gone", "Gone in 24 h", "number", `${ofLastDay} accounts gone.`),
  column("returned", "Returned in 24 h", "number", `${ofLastDay} accounts listed again.`),
  column(
    "renumbered",
    "Renumbered in 24 h",
    "number",
    `${ofLastDay} other service account numbers.`,
  ),
  column(
    "removed",
    "Removed in 24 h",
    "number",
    `${ofLastDay} imported accounts that left the list.`,
  ),
  column(
    "held_back_at",
    "List held back at",
    `${utcText}, or null`,
    "The time at which the list that is held back was requested.",
  ),
  column(
    "held_back_accounts",
    "Accounts of that list",
    "number or null",
    "The number of accounts of that list.",
  ),
];

export const verb: Verb = {
  description: "figures of the last observation of a supplier; nothing is requested",
  declare: (command) => command.argument("<supplier>", "import supplier code", identifierArgument),
  columns,
  /** Prints the stored figures of one supplier of this service. */
  async run(invocation, supplier: string) {
    const { io, globals } = invocation;
    return withObservations(invocation, async ({ observations }, target) => {
      const summary = await observations.summary(supplier, io.clock.now());
      if (!summary)
        throw new AppError(
          "command",
          "not-found",
          `no list of ${supplier} was observed at ${target.service.baseUrl}`,
          { remedy: "`supplyline observations list` shows what is stored." },
        );
      await printRow(invocation, columns, {
        import_supplier: supplier,
        origin: target.service.baseUrl,
        ...figuresOf(summary),
      });
      if (summary.heldBack !== null)
        invocation.notice(
          `A list is held back. If it is right: ${asCommand({ kind: "observations-confirm", supplier }, globals.profile ?? null)}`,
        );
      return exitCode.done;
    });
  },
  exits: [0, 1, 2, 3, 5],
  examples: ["supplyline observations show ACME", "supplyline observations show ACME --json"],
};

type Row = ReturnType<typeof figuresOf> & {
  readonly import_supplier: string;
  readonly origin: string;
};

function figuresOf(summary: ObservedSummary) {
  const { lastDay, heldBack, oldestPendingSince } = summary;
  return {
    observations: summary.observations,
    first_at: utcInstant(summary.historySince),
    last_at: utcInstant(summary.at),
    imported: summary.imported,
    pending: summary.pending,
    gone: summary.gone,
    oldest_pending_since: oldestPendingSince === null ? null : utcInstant(oldestPendingSince),
    pending_over_a_day: summary.pendingOverADay,
    staged: lastDay.staged,
    newly_imported: lastDay.imported,
    newly_gone: lastDay.gone,
    returned: lastDay.returned,
    renumbered: lastDay.renumbered,
    removed: lastDay.removed,
    held_back_at: heldBack === null ? null : utcInstant(heldBack.at),
    held_back_accounts: heldBack === null ? null : heldBack.now,
  };
}
