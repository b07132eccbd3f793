import { utcInstant } from "../../text/dates.ts";
import type { ObservedSummary } from "../../triage/observations/observations.ts";
import { CommandError } from "../command-error.ts";
import { exitCode } from "../exit-codes.ts";
import type { Invocation } from "../invocation.ts";
import { observing } from "../observing.ts";
import { identifierArgument } from "../option-values.ts";
import type { Column } from "../rows/columns.ts";
import { printRow } from "../rows/print.ts";
import { utcText } from "../rows/shared-columns.ts";
import { withTarget } from "../target.ts";
import type { Verb } from "../verb.ts";
import { type Observed, observedColumns } from "./observed-columns.ts";

const ofLastDay = "Changes of the last 24 hours:";

const columns: readonly Column<Observed & ReturnType<typeof figuresOf>>[] = [
  ...observedColumns,
  {
    name: "imported",
    title: "Imported",
    type: "number",
    meaning: "Imported accounts of the last list.",
  },
  {
    name: "pending",
    title: "Pending",
    type: "number",
    meaning: "Pending accounts of the last list.",
  },
  {
    name: "gone",
    title: "Gone",
    type: "number",
    meaning: "Accounts that were pending and left the list.",
  },
  {
    name: "oldest_pending_since",
    title: "Oldest pending since",
    type: `${utcText}, or null`,
    meaning: "Null while none is pending.",
  },
  {
    name: "pending_over_a_day",
    title: "Pending over a day",
    type: "number",
    meaning: "Accounts that are pending for more than a day.",
  },
  {
    name: "staged",
    title: "Staged in 24 h",
    type: "number",
    meaning: `${ofLastDay} accounts staged.`,
  },
  {
    name: "newly_imported",
    title: "Imported in 24 h",
    type: "number",
    meaning: `${ofLastDay} accounts imported.`,
  },
  {
    name: "newly_gone",
    title: "Gone in 24 h",
    type: "number",
    meaning: `${ofLastDay} accounts gone.`,
  },
  {
    name: "returned",
    title: "Returned in 24 h",
    type: "number",
    meaning: `${ofLastDay} accounts listed again.`,
  },
  {
    name: "renumbered",
    title: "Renumbered in 24 h",
    type: "number",
    meaning: `${ofLastDay} other service account numbers.`,
  },
  {
    name: "removed",
    title: "Removed in 24 h",
    type: "number",
    meaning: `${ofLastDay} imported accounts that left the list.`,
  },
  {
    name: "held_back_at",
    title: "List held back at",
    type: `${utcText}, or null`,
    meaning: "When the list that is held back was requested.",
  },
  {
    name: "held_back_accounts",
    title: "Accounts of that list",
    type: "number or null",
    meaning: "How many accounts that list has.",
  },
];

/** `observations show` */
export const verb: Verb = {
  examples: ["supplyline observations show ACME", "supplyline observations show ACME --json"],
  exits: [0, 1, 2, 3, 5],
  columns,
  declare: (command) =>
    command
      .description("what the last observation of a supplier says; nothing is requested")
      .argument("<supplier>", "import supplier code", identifierArgument),
  run: showStored,
};

/** Prints the stored figures of one supplier of this service. */
async function showStored(invocation: Invocation, supplier: string): Promise<number> {
  const { io } = invocation;
  return withTarget(invocation, (target) =>
    observing(invocation, target, async ({ openToRead }) => {
      const summary = await (await openToRead())?.summary(supplier, io.clock.now());
      if (!summary)
        throw new CommandError(
          "not-found",
          `no list of ${supplier} was observed at ${target.service.baseUrl}`,
          "`supplyline observations list` shows what is stored.",
        );
      await printRow(invocation, columns, {
        import_supplier: supplier,
        origin: target.service.baseUrl,
        ...figuresOf(summary),
      });
      if (summary.heldBack !== null)
        invocation.notice(
          `A list is held back. If it is right: supplyline observations confirm ${supplier}`,
        );
      return exitCode.done;
    }),
  );
}

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
