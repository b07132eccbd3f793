import { teamNames } from "../../settings/team-access.ts";
import {
  type Done,
  doneBy,
  doneByColleagues,
  doneFields,
  doneHere,
  type PersonDone,
  personFields,
} from "../../writes/done.ts";
import { doneOfTeamWords } from "../../writes/words/done.ts";
import { exitCode } from "../exit-codes.ts";
import type { Invocation } from "../invocation.ts";
import type { Column } from "../rows/columns.ts";
import { printRows } from "../rows/print.ts";
import { hasTeam, readWithTeam } from "../team/read-team.ts";
import { exits, type Verb } from "../verb.ts";
import { withJournalToCount } from "../with-journal.ts";
import { activityFilter, filterOptions, noMatchWords } from "./filter.ts";

const { operation, supplier, outcome, tookEffect, entries, rows, sum } = doneFields;
const columns: readonly Column<Done>[] = [
  ...[operation, supplier, outcome, tookEffect],
  ...[entries, rows, sum].map((field) => ({ ...field, align: "right" }) as const),
];

const teamColumns: readonly Column<PersonDone>[] = [...Object.values(personFields), ...columns];

interface SummaryOptions extends NonNullable<Parameters<typeof activityFilter>[0]> {
  readonly mine?: boolean;
}

export const verb: Verb = {
  description: "what took effect: entries, rows and exact sums by operation, supplier and outcome",
  declare: (command) =>
    command
      .option(...filterOptions.since)
      .option(...filterOptions.until)
      .option(...filterOptions.supplier)
      .option(...filterOptions.run)
      .option(...filterOptions.ofProfile)
      .option("--mine", "with a team: only entries of this machine"),
  columns,
  async run(invocation, { mine = false, ...options }: SummaryOptions) {
    const filter = activityFilter(options, invocation);
    const { signal } = invocation.io;
    const isOfTeam = hasTeam(invocation);
    // It is a contact with the ledger, which can close entries of the journal.
    const theirs = isOfTeam && !mine ? await doneOfColleagues(invocation, filter) : [];
    const own = await withJournalToCount(invocation, (journal) => doneBy(journal, filter, signal));
    const isEmpty = own.length + theirs.length === 0;
    if (isEmpty) invocation.notice(noMatchWords(invocation, filter));
    if (isOfTeam) {
      const ofOwn = doneHere(own, teamNames(invocation.io.env));
      await printRows(invocation, teamColumns, [...ofOwn, ...theirs]);
    } else await printRows(invocation, columns, own);
    if (invocation.globals.format === "table" && !isEmpty)
      invocation.notice(doneOfTeamWords(own, theirs));
    return exitCode.done;
  },
  exits: exits.local,
  examples: [
    "supplyline activity summary --since 8h",
    "supplyline activity summary --since yesterday --until yesterday --format csv",
  ],
};

/**
 * Reads the sums of colleagues. If the ledger does not answer, a warning says so, and there are none.
 */
async function doneOfColleagues(
  invocation: Invocation,
  filter: ReturnType<typeof activityFilter>,
): Promise<readonly PersonDone[]> {
  const { since, before, importSupplier, run, profile } = filter;
  const read = await readWithTeam(invocation, (ledger) =>
    ledger.done({ since, before, importSupplier, run, profile }),
  );
  if (read?.kind === "missing") invocation.warn(read.words, "lasting");
  if (read?.kind !== "read") return [];
  return doneByColleagues(read.value);
}
