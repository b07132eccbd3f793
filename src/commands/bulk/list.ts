import { runFields } from "../../bulk/run-fields.ts";
import { isUnsent, type RunRecord } from "../../bulk/run-record.ts";
import { countsText } from "../../bulk/run-words.ts";
import { listRuns } from "../../bulk/runs.ts";
import { count } from "../../text/numbers.ts";
import { shownPath } from "../../text/shown-path.ts";
import { selectedService } from "../activity/filter.ts";
import type { Column } from "../rows/columns.ts";
import { printRows } from "../rows/print.ts";
import { exits, type Verb } from "../verb.ts";
import { withJournalToRead } from "../with-journal.ts";
import { runColumns } from "./summary.ts";

export const verb: Verb = {
  description: "the runs of the service in the journal, newest first",
  columns: runColumns,
  /**
   * Prints the runs of the service of the selected profile. They can belong to any profile of that
   * service.
   */
  async run(invocation) {
    const baseUrl = selectedService(invocation);
    const runs = await withJournalToRead(invocation, async (_, reading) =>
      listRuns(reading, { baseUrl }),
    );
    if (runs.length === 0)
      invocation.notice(
        `The journal has no bulk run${baseUrl === undefined ? "" : ` of ${baseUrl}`}.`,
      );
    await printRows(invocation, runColumns, runs, { brief: briefColumns(runs) });
  },
  exits: exits.local,
  examples: ["supplyline bulk list", "supplyline bulk list --json"],
};

/**
 * Returns the columns for people. The profile is included only if the runs have several profiles.
 */
function briefColumns(runs: readonly RunRecord[]): readonly Column<RunRecord>[] {
  const hasSeveral = runs.some(({ profile }) => profile !== runs[0]?.profile);
  const { run, createdAt, kind, outcome, rows, unsent, profile, source } = runFields;
  return [
    run,
    { ...createdAt, title: "Created", isList: true },
    kind,
    { ...outcome, shown: ({ state }) => (state === "unrecorded" ? "not fully recorded" : state) },
    { ...rows, shown: (record) => count(record.rows) },
    { ...unsent, title: "Outcomes", shown: outcomeText, isList: true },
    ...(hasSeveral ? [profile] : []),
    {
      ...source,
      shown: (record) => (record.source === "-" ? "standard input" : shownPath(record.source)),
    },
  ];
}

function outcomeText(run: RunRecord): string {
  return isUnsent(run) ? "nothing sent" : countsText(run.counts);
}
