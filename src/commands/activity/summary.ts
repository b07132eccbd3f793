/** The command `activity summary`: prints what took effect, by operation, supplier and outcome. */

import { type Done, doneBy, doneFields } from "../../writes/done.ts";
import { doneWords } from "../../writes/words/done.ts";
import { exitCode } from "../exit-codes.ts";
import type { Column } from "../rows/columns.ts";
import { printRows } from "../rows/print.ts";
import { exits, type Verb } from "../verb.ts";
import { withJournalToCount } from "../with-journal.ts";
import { activityFilter, noMatchWords } from "./filter.ts";

const { operation, supplier, outcome, tookEffect, entries, rows, sum } = doneFields;
const columns: readonly Column<Done>[] = [
  ...[operation, supplier, outcome, tookEffect],
  ...[entries, rows, sum].map((field) => ({ ...field, align: "right" }) as const),
];

export const verb: Verb = {
  description: "what took effect: entries, rows and exact sums by operation, supplier and outcome",
  declare: (command) =>
    command
      .option("--since <time>", "only entries since this time: yesterday, 2026-11-20, 24h (ago)")
      .option("--until <time>", "only entries until this time; a day counts to its end")
      .option("--supplier <code>", "only of this import supplier")
      .option("--run <id>", "only of this bulk run")
      .option("--of-profile <name>", "only those that this profile sent"),
  columns,
  /** Prints the sums of the entries of the service. */
  async run(invocation, options: Parameters<typeof activityFilter>[0]) {
    const filter = activityFilter(options, invocation);
    const { signal } = invocation.io;
    const done = await withJournalToCount(invocation, (journal) => doneBy(journal, filter, signal));
    if (done.length === 0) invocation.notice(noMatchWords(invocation, filter));
    await printRows(invocation, columns, done);
    if (invocation.globals.format === "table" && done.length > 0)
      invocation.notice(doneWords(done));
    return exitCode.done;
  },
  exits: exits.local,
  examples: [
    "supplyline activity summary --since 8h",
    "supplyline activity summary --since yesterday --until yesterday --format csv",
  ],
};
