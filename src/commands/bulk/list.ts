/** The command `bulk list`: prints the bulk runs in the journal. */

import { isUnsent, type RunRecord } from "../../bulk/run-record.ts";
import { countsText } from "../../bulk/run-words.ts";
import { leftOutWords, listRuns } from "../../bulk/runs.ts";
import { formatInstant } from "../../text/dates.ts";
import { count } from "../../text/numbers.ts";
import { selectedService } from "../activity/filter.ts";
import type { Column } from "../rows/columns.ts";
import { printRows } from "../rows/print.ts";
import { exits, type Verb } from "../verb.ts";
import { withJournalToRead } from "../with-journal.ts";
import { shownPath } from "./results.ts";
import { runColumns, runJson } from "./summary.ts";

export const verb: Verb = {
  description: "the runs of the service in the journal, newest first",
  columns: runColumns,
  /**
   * Prints the runs of the service of the selected profile. They can belong to any profile of that
   * service.
   */
  async run(invocation) {
    const { io } = invocation;
    const baseUrl = selectedService(invocation);
    const { runs, leftOut } = await withJournalToRead(invocation, async (journal, process) => ({
      runs: listRuns({ journal, process, clock: io.clock }, { baseUrl }),
      leftOut: leftOutWords({ journal }),
    }));
    const rows = runs.map((record): ListedRun => ({ ...runJson(record), record }));
    if (rows.length === 0)
      invocation.notice(
        `The journal has no bulk run${baseUrl === undefined ? "" : ` of ${baseUrl}`}.`,
      );
    if (leftOut !== null) invocation.notice(leftOut);
    await printRows<ListedRun>(invocation, runColumns, rows, {
      json: ({ record: _, ...run }) => run,
      brief: briefColumns(rows),
    });
  },
  exits: exits.local,
  examples: ["supplyline bulk list", "supplyline bulk list --json"],
};

/**
 * Returns the columns for people. The profile is included only if the runs have several profiles.
 */
function briefColumns(runs: readonly ListedRun[]): readonly Column<ListedRun>[] {
  const hasSeveral = runs.some(({ profile }) => profile !== runs[0]?.profile);
  const column = (name: keyof ListedRun, title: string, shown?: (row: ListedRun) => string) => ({
    name,
    title,
    type: "",
    meaning: "",
    ...(shown === undefined ? {} : { shown }),
  });
  return [
    column("run", "Run"),
    {
      ...column("created_at", "Created", ({ record }) =>
        formatInstant(record.createdAt, { seconds: false }),
      ),
      isList: true,
    },
    column("kind", "Kind"),
    column("outcome", "State", ({ outcome }) =>
      outcome === "unrecorded" ? "not fully recorded" : outcome,
    ),
    column("rows", "Rows", ({ rows }) => count(rows)),
    { ...column("unsent", "Outcomes", ({ record }) => outcomeText(record)), isList: true },
    ...(hasSeveral ? [column("profile", "Profile")] : []),
    column("source", "Input", ({ source }) =>
      source === "-" ? "standard input" : shownPath(source),
    ),
  ];
}

/** A run in the list: its JSON and its record. */
type ListedRun = ReturnType<typeof runJson> & { readonly record: RunRecord };

function outcomeText(run: RunRecord): string {
  return isUnsent(run) ? "nothing sent" : countsText(run.counts);
}
